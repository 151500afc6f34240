"""The inspection for machines: every figure with its unit, exact or as an estimate."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deltabench.inspect.sums import CHANNEL_SUMS, UNREACHABLE

if TYPE_CHECKING:
    from deltabench.inspect.found import Figure, Inspection
    from deltabench.inspect.whatif import Policy


def json_summary(found: Inspection) -> str:
    """One JSON object; an estimate is an object of `estimate`, `low` and `high`.

    These two are null where no interval is known.
    """
    return json.dumps(summary(found), indent=2, ensure_ascii=False)


def summary(found: Inspection) -> dict[str, Any]:
    """The same as plain values."""
    return {
        "database": found.name,
        "kind": found.kind,
        "threads": found.threads,
        "threads_read": found.threads_read,
        "estimated": found.sample is not None,
        "total_bytes": _value(found.summed("total")),
        "physical_bytes": found.physical_bytes,
        "tables": {
            name: {
                "rows": _value(found.summed("table", name, "rows")),
                "bytes": _value(found.summed("table", name, "bytes")),
            }
            for name in found.names("table", 1)
        },
        "kinds": {
            f"{name.replace(' ', '_')}_bytes": _value(found.summed("kind", name))
            for name in ("whole values", "snapshots", "deltas", "floor")
        },
        "channels": [_channel(found, channel) for channel in found.channels()],
        "namespaces": {
            name: {
                what: _value(found.summed("namespace", name, what))
                for what in ("bytes", "checkpoints", "calls")
            }
            for name in found.names("namespace", 1)
        },
        "largest_threads": [asdict(thread) for thread in found.largest],
        "unreachable": {
            what: {
                "meaning": why,
                "rows": _value(found.summed("unreachable", what, "rows")),
                "bytes": _value(found.summed("unreachable", what, "bytes")),
            }
            for what, why in UNREACHABLE.items()
        },
        "what_if": [_policy(found, policy) for policy in found.policies],
        "not_predicted": [
            {"namespace": namespace, "channel": name, "reason": reason}
            for (namespace, name), reason in sorted(found.found.reasons.items())
        ],
        "problems": found.found.problems,
    }


def _channel(found: Inspection, channel: tuple[str, str]) -> dict[str, Any]:
    key = ("channel", *channel)
    return {
        "namespace": channel[0],
        "channel": channel[1],
        "stored": found.stored_as(channel),
        **{what: _value(found.summed(*key, what)) for what in CHANNEL_SUMS},
        "largest_bytes": found.found.tops.get(("largest", *channel), 0),
    }


def _policy(found: Inspection, policy: Policy) -> dict[str, Any]:
    tops = found.found.tops
    channels = []
    for channel in found.predicted():
        at = found.change(channel, policy, "at").value
        depth = found.change(channel, policy, "depth").value
        channels.append(
            {
                "namespace": channel[0],
                "channel": channel[1],
                "change_bytes": _value(found.change(channel, policy, "bytes")),
                "estimated": sorted(found.estimates(policy, channel)),
                "snapshots": _value(found.change(channel, policy, "snapshots")),
                "replayed_updates_newest": tops.get(("head", *channel, policy), 0),
                "replayed_updates_mean": depth / at if at else 0,
                "replayed_updates_worst": tops.get(("worst", *channel, policy), 0),
            }
        )
    return {
        "snapshot_frequency": policy,
        "derived": True,
        "total_bytes": _value(found.total(policy)),
        "channels": channels,
    }


def _value(figure: Figure) -> Any:
    if not figure.is_estimated:
        return int(figure.value)
    if figure.low is None or figure.high is None:
        return {"estimate": round(figure.value), "low": None, "high": None}
    return {"estimate": round(figure.value), "low": round(figure.low), "high": round(figure.high)}

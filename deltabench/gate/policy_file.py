"""Reads policies from TOML and from flags; every error names the file and the key."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError
from deltabench.gate.metrics import RULES, Kind, all_metrics
from deltabench.gate.policy import DEFAULTS, GatePolicy, Layer, Where

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from deltabench.gate.policy import Limit, Rules

_SHARE_HINT = 'write a share such as 0.02, or "2%"'
_WORDS = ("workload", "checkpointer", "durability")
_NUMBERS = ("turns", "k")


def load_policy(path: Path | None = None, flags: Sequence[tuple[str, str]] = ()) -> GatePolicy:
    """The defaults, then the file, then flags: pairs of an option and its TOML line.

    DeltabenchError for a file that cannot be read, an unknown metric, or a rule that
    makes no sense for its metric.
    """
    defaults = _layer(tomllib.loads(DEFAULTS), "the defaults")
    policy = GatePolicy(layers=(defaults,))
    if path is not None:
        policy = _with_document(policy, _read(path), str(path))
    for option, text in flags:
        try:
            document = tomllib.loads(text, parse_float=Decimal)
        except tomllib.TOMLDecodeError:
            message = f"{option}: {text!r} is not a rule"
            raise DeltabenchError(message, hint="for example resume_warm.max_ratio=3") from None
        policy = _with_document(policy, document, option)
    return policy


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        message = f"no policy file at {path}"
        raise DeltabenchError(message, hint="without --policy the defaults apply") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        message = f"cannot read {path}: {reason}"
        raise DeltabenchError(message, hint="a policy is a TOML file") from None
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        message = f"{path}: {error}"
        raise DeltabenchError(message, hint="a policy is a TOML file") from None


def _with_document(policy: GatePolicy, document: dict[str, Any], source: str) -> GatePolicy:
    document = dict(document)
    strict = document.pop("strict", policy.strict)
    if not isinstance(strict, bool):
        raise DeltabenchError(f"{source}: strict: not true or false")
    other = document.pop("other_versions", policy.other_versions)
    if other not in {"ratios", "refuse"}:
        raise DeltabenchError(f'{source}: other_versions: not "ratios" or "refuse"')
    overrides = document.pop("where", [])
    if not isinstance(overrides, list) or not all(isinstance(item, dict) for item in overrides):
        raise DeltabenchError(f"{source}: where: not a list of tables", hint="write [[where]]")
    layers = [_layer(document, source)] if document else []
    for number, override in enumerate(overrides, start=1):
        layers.append(_override(override, f"{source}: where {number}"))
    return replace(policy, layers=(*policy.layers, *layers), strict=strict, other_versions=other)


def _override(table: Mapping[str, Any], source: str) -> Layer:
    rules = {key: value for key, value in table.items() if key not in {*_WORDS, *_NUMBERS}}
    given = {key: value for key, value in table.items() if key not in rules}
    if not given:
        hint = "name a workload, checkpointer, durability, turns or k"
        raise DeltabenchError(f"{source}: says not where it applies", hint=hint)
    if not rules:
        raise DeltabenchError(f"{source}: has no rules", hint="for example savings.min_ratio = 8")
    conditions = {key: _condition(key, value, source) for key, value in given.items()}
    return replace(_layer(rules, source), where=Where(**conditions))


def _condition(key: str, value: Any, source: str) -> Any:
    values = value if isinstance(value, list) else [value]
    wanted = str if key in _WORDS else int
    if not values or not all(type(item) is wanted for item in values):
        what = "text" if wanted is str else "a whole number"
        raise DeltabenchError(f"{source}: {key}: not {what}, nor a list of such")
    return tuple(values)


def _layer(document: Mapping[str, Any], source: str) -> Layer:
    rules: dict[str, Rules] = {}
    for name, table in document.items():
        kind = _kind(name, source)
        if not isinstance(table, dict) or not table:
            hint = f"give {name} one of {', '.join(RULES[kind])}"
            raise DeltabenchError(f"{source}: {name}: no table of rules", hint=hint)
        rules[name] = {
            rule: _limit(rule, value, f"{source}: {name}.{rule}", name, kind)
            for rule, value in table.items()
        }
    return Layer(rules=rules)


def _kind(name: str, source: str) -> Kind:
    metrics = all_metrics()
    if name in metrics:
        return metrics[name].kind
    classes = [kind.value for kind in Kind if kind is not Kind.RATIO]
    if name in classes:
        return Kind(name)
    names = [*metrics, *classes]
    near = difflib.get_close_matches(name, names, n=3)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    hint += f"the metrics are {', '.join(names)}"
    raise DeltabenchError(f"{source}: no metric named {name!r}", hint=hint)


def _limit(rule: str, value: Any, where: str, name: str, kind: Kind) -> Limit:
    allowed = RULES[kind]
    if rule not in allowed:
        known = any(rule in rules for rules in RULES.values())
        what = f"makes no sense for {name}, which is {kind.value}" if known else "is no rule"
        raise DeltabenchError(f"{where}: {what}", hint=f"valid here: {', '.join(allowed)}")
    if value is False:
        return False
    if rule == "exact":
        if value is not True:
            raise DeltabenchError(f"{where}: not true or false")
        return True
    number = _number(value, where)
    if rule in {"min_ratio", "max_ratio"}:
        if number <= 0:
            raise DeltabenchError(f"{where}: must be above 0", hint="for example 25")
    elif number < 0 or (rule == "max_drop" and number >= 1):
        raise DeltabenchError(f"{where}: out of range", hint=_SHARE_HINT)
    elif number > 1 and not str(value).endswith("%"):
        # 2 can mean 2 % or 200 %; the wrong guess would open the gate.
        raise DeltabenchError(f"{where}: {value} is not a share", hint=_SHARE_HINT)
    return number


def _number(value: Any, where: str) -> Fraction:
    if isinstance(value, str):
        text = value.strip()
        percent = text.endswith("%")
        try:
            number = Fraction(text.removesuffix("%").strip())
        except (ValueError, ZeroDivisionError):
            raise DeltabenchError(f"{where}: {value!r} is not a number") from None
        return number / 100 if percent else number
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise DeltabenchError(f"{where}: not a number")
    try:
        return Fraction(value)
    except (ValueError, OverflowError):
        raise DeltabenchError(f"{where}: not a finite number") from None

"""Tests of policies: what wins over what, and one line for every mistake."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from deltabench.cells import Policy
from deltabench.errors import DeltabenchError, ExitCode
from deltabench.gate import policy as policy_module
from deltabench.gate.metrics import RULES, Kind, all_metrics
from deltabench.gate.policy_file import load_policy
from deltabench.gate.verdicts import Key

if TYPE_CHECKING:
    from pathlib import Path

    from deltabench.gate.policy import Limit

SAVINGS = "savings"


def _key(k: int = 50, checkpointer: str = "memory", workload: str = "B") -> Key:
    return Key(
        workload=workload,
        turns=50,
        checkpointer=checkpointer,
        durability="async",
        policy=Policy(snapshot_frequency=k),
    )


def _rules(text: str, tmp_path: Path, metric: str, key: Key | None = None) -> dict[str, Limit]:
    file = tmp_path / "p.toml"
    file.write_text(text, encoding="utf-8")
    return load_policy(file).rules(all_metrics()[metric], key or _key())


def test_the_defaults_judge_bytes_ratio_and_resumes() -> None:
    """Without a file, bytes are exact, the ratio may fall by 2 %, resumes rise by 25 %."""
    policy = load_policy()
    rules = {name: policy.rules(metric, _key()) for name, metric in all_metrics().items()}
    assert rules["total_bytes"] == {"exact": True}
    assert rules[SAVINGS] == {"max_drop": Fraction(2, 100)}
    assert rules["resume_warm"] == {"max_rise": Fraction(1, 4)}
    assert rules["memory_peak"] == {}
    assert policy.asked() == []


def test_the_example_in_the_module_is_a_policy(tmp_path: Path) -> None:
    """What the documentation shows can be copied and does what it says."""
    text = (policy_module.__doc__ or "").split("\n\n")
    example = "\n".join(
        line[4:] for part in text for line in part.splitlines() if line.startswith("    ")
    )
    assert _rules(example, tmp_path, SAVINGS) == {
        "max_drop": Fraction(2, 100),
        "min_ratio": Fraction(25),
    }
    sqlite = _key(10, "sqlite")
    assert _rules(example, tmp_path, SAVINGS, sqlite)["min_ratio"] == 8
    assert _rules(example, tmp_path, SAVINGS, _key(100, "sqlite"))["min_ratio"] == 25
    assert _rules(example, tmp_path, "resume_warm")["max_ratio"] == 3


def test_later_layers_win_rule_by_rule(tmp_path: Path) -> None:
    """A metric wins over its class, an override over the file, the last override over all."""
    text = """
    counted.exact = false
    total_bytes.exact = true
    savings.min_ratio = 20
    [[where]]
    workload = ["A", "B"]
    savings.min_ratio = 10
    [[where]]
    turns = 50
    k = 50
    durability = "async"
    savings.min_ratio = 5
    """
    assert _rules(text, tmp_path, "value_bytes") == {}
    assert _rules(text, tmp_path, "total_bytes") == {"exact": True}
    assert _rules(text, tmp_path, SAVINGS)["min_ratio"] == 5
    assert _rules(text, tmp_path, SAVINGS, _key(10))["min_ratio"] == 10
    assert _rules(text, tmp_path, SAVINGS, _key(10, workload="C"))["min_ratio"] == 20
    assert _rules(text, tmp_path, SAVINGS)["max_drop"] == Fraction(2, 100)


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    """What is typed counts."""
    file = tmp_path / "p.toml"
    file.write_text("strict = true\nsavings.min_ratio = 20", encoding="utf-8")
    policy = load_policy(file, [("--min-ratio", 'savings.min_ratio = "30"')])
    assert policy.rules(all_metrics()[SAVINGS], _key())["min_ratio"] == 30
    assert policy.strict
    assert policy.asked() == ["savings.min_ratio", "savings.min_ratio"]


def test_a_tolerance_replaces_an_inherited_exact(tmp_path: Path) -> None:
    """`max_rise` for a counted figure would mean nothing beside `exact`."""
    text = 'total_bytes.max_rise = "5%"'
    assert _rules(text, tmp_path, "total_bytes") == {"max_rise": Fraction(5, 100)}
    assert _rules(text, tmp_path, "value_bytes") == {"exact": True}
    both = 'total_bytes = {exact = true, max_rise = "5%"}'
    assert _rules(both, tmp_path, "total_bytes") == {"exact": True, "max_rise": Fraction(5, 100)}


def test_decimals_are_exact(tmp_path: Path) -> None:
    """0.1 means a tenth, not the nearest binary number."""
    rules = _rules("savings = {max_drop = 0.1, min_ratio = 24.7}", tmp_path, SAVINGS)
    assert rules == {"max_drop": Fraction(1, 10), "min_ratio": Fraction(247, 10)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("savings.min_ratio = ", "p.toml: "),
        ("saving.min_ratio = 3", "p.toml: no metric named 'saving' (did you mean savings?"),
        ("ratio.min_ratio = 3", "the metrics are savings, total_bytes"),
        ("resume_warm.exact = true", "resume_warm.exact: makes no sense for resume_warm, which is"),
        ("timed.exact = true", "timed.exact: makes no sense for timed, which is timed (valid here"),
        ("savings.exact = true", "(valid here: max_drop, min_ratio)"),
        ("total_bytes.min_ratio = 3", "(valid here: exact, max_rise)"),
        ("database_bytes.exact = true", "(valid here: max_rise)"),
        ("savings.least = 3", "p.toml: savings.least: is no rule"),
        ("savings = 3", "p.toml: savings: no table of rules"),
        ("savings = {}", "p.toml: savings: no table of rules"),
        ("savings.min_ratio = 0", "savings.min_ratio: must be above 0"),
        ("savings.min_ratio = -3", "savings.min_ratio: must be above 0"),
        ("savings.min_ratio = nan", "savings.min_ratio: not a finite number"),
        ("savings.min_ratio = inf", "savings.min_ratio: not a finite number"),
        ("savings.min_ratio = true", "savings.min_ratio: not a number"),
        ("savings.min_ratio = '1/0'", "savings.min_ratio: '1/0' is not a number"),
        ("savings.min_ratio = 'much'", "savings.min_ratio: 'much' is not a number"),
        ("savings.max_drop = 2", "savings.max_drop: out of range"),
        ("savings.max_drop = '100%'", "savings.max_drop: out of range"),
        ("savings.max_drop = -0.1", "savings.max_drop: out of range"),
        (
            "resume_warm.max_rise = 25",
            '25 is not a share (write a share such as 0.02, or "2%")',
        ),
        ("total_bytes.exact = 1", "total_bytes.exact: not true or false"),
        ("strict = 1", "p.toml: strict: not true or false"),
        ("other_versions = 'no'", "p.toml: other_versions: not"),
        ("where = 3", "p.toml: where: not a list of tables"),
        ("[[where]]\nsavings.min_ratio = 3", "p.toml: where 1: says not where it applies"),
        ("[[where]]\nk = 3", "p.toml: where 1: has no rules"),
        ("[[where]]\nk = '3'\nsavings.min_ratio = 3", "where 1: k: not a whole number, nor"),
        ("[[where]]\nk = []\nsavings.min_ratio = 3", "where 1: k: not a whole number, nor"),
        ("[[where]]\nworkload = 3\nsavings.min_ratio = 3", "where 1: workload: not text"),
        ("[[where]]\nsaver = 'x'\nk = 3", "p.toml: where 1: no metric named 'saver'"),
    ],
)
def test_a_mistake_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    """File and key are named, and what would be right."""
    with pytest.raises(DeltabenchError) as caught:
        _rules(text, tmp_path, SAVINGS)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code is ExitCode.USAGE


def test_a_missing_or_unreadable_file_is_one_line(tmp_path: Path) -> None:
    """A policy that cannot be read is never taken for an empty one."""
    with pytest.raises(DeltabenchError, match="no policy file at"):
        load_policy(tmp_path / "none.toml")
    with pytest.raises(DeltabenchError, match="cannot read"):
        load_policy(tmp_path)
    (tmp_path / "p.toml").write_bytes(b"\xff")
    with pytest.raises(DeltabenchError, match="not UTF-8 text"):
        load_policy(tmp_path / "p.toml")


@pytest.mark.parametrize("text", ["x", "min_ratio 25", "a=b=c", ""])
def test_a_flag_that_is_no_rule_is_one_line(text: str) -> None:
    """The option is named; an empty one demands nothing and adds nothing."""
    if not text:
        assert len(load_policy(None, [("--rule", text)]).layers) == 1
        return
    with pytest.raises(DeltabenchError, match="--rule: "):
        load_policy(None, [("--rule", text)])


@pytest.mark.parametrize("metric", list(all_metrics().values()), ids=lambda metric: metric.name)
def test_every_metric_takes_the_rules_of_its_class_and_no_others(metric: object) -> None:
    """`exact` for a timed figure, and the like, cannot be written."""
    name, kind = metric.name, metric.kind  # type: ignore[attr-defined]
    for rule in ("exact", "max_rise", "max_drop", "min_ratio", "max_ratio"):
        flag = [("--rule", f"{name}.{rule}={'true' if rule == 'exact' else '0.5'}")]
        if rule in RULES[kind]:
            assert rule in load_policy(None, flag).rules(all_metrics()[name], _key())
        else:
            with pytest.raises(DeltabenchError, match="makes no sense"):
                load_policy(None, flag)


def test_metrics_have_names_of_their_own() -> None:
    """A class name stands for a class only, and every metric says what it is."""
    assert not {kind.value for kind in Kind} & set(all_metrics())
    assert all(metric.what for metric in all_metrics().values())
    assert all(metric.floor > 0 for metric in all_metrics().values() if metric.kind is Kind.TIMED)

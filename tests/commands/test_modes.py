"""Options that would be without effect are refused, in one line."""

from __future__ import annotations

import pytest

from deltabench.cli import app
from deltabench.errors import DeltabenchError


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--retention", "x", "--graph", "y"], "--graph and --retention exclude each other"),
        (["--retention", "x", "--quick"], "--retention and --quick exclude each other"),
        (["--graph", "x", "--guarantee", "threads"], "--graph and --guarantee exclude each other"),
        (["--k", "3"], "--k belongs to --graph"),
        (["--sql"], "--sql belongs to --retention"),
    ],
)
def test_strangers_are_refused(arguments: list[str], message: str) -> None:
    """Before anything is done."""
    with pytest.raises(DeltabenchError) as caught:
        app(["verify", *arguments], standalone_mode=False)
    assert str(caught.value) == message


def test_what_the_environment_sets_is_no_stranger(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The address of a server is set for all commands."""
    monkeypatch.setenv("DELTABENCH_POSTGRES_URL", "postgresql://host/db")
    with pytest.raises(DeltabenchError, match="cannot be read"):
        app(["verify", "--retention", "no such file"], standalone_mode=False)
    assert capsys.readouterr().out == ""

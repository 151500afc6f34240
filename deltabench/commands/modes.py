"""Options of one command that ask for different things, and what may stand beside each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deltabench.errors import DeltabenchError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import typer


def refuse_strangers(
    context: typer.Context, modes: Mapping[str, Collection[str]], otherwise: Collection[str]
) -> None:
    """Refuse options on the command line that would be without effect.

    `modes` maps the name of an option to those that may stand beside it; `otherwise` are
    those that may stand where none of these is given. Raises DeltabenchError.
    """
    spelled = {p.name: p.opts[0] for p in context.command.params if p.name}
    # Defaults, and what the environment sets for all commands, are nobody's wish here.
    sources = {name: context.get_parameter_source(name) for name in spelled}
    given = [name for name, source in sources.items() if source and source.name == "COMMANDLINE"]
    chosen = [name for name in given if name in modes]
    if len(chosen) > 1:
        names = " and ".join(spelled[name] for name in chosen[:2])
        raise DeltabenchError(f"{names} exclude each other")
    allowed = {*chosen, *(modes[chosen[0]] if chosen else otherwise)}
    for name in given:
        if name in allowed:
            continue
        if chosen:
            raise DeltabenchError(f"{spelled[chosen[0]]} and {spelled[name]} exclude each other")
        owners = " or ".join(spelled[mode] for mode, beside in modes.items() if name in beside)
        raise DeltabenchError(f"{spelled[name]} belongs to {owners}")

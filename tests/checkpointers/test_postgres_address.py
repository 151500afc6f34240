"""Addresses are told without their password, however they are written."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deltabench.checkpointers import postgres_address
from deltabench.checkpointers.postgres_address import HIDDEN, in_schema, redacted
from deltabench.errors import DeltabenchError

# No part of the rest of the address, so that finding it in a message means a leak.
SECRETS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12
).map(lambda text: f"Zq7{text}7qZ")
FORMS = (
    "postgresql://me:{raw}@127.0.0.1:1/mydb",
    "postgresql://me:{quoted}@127.0.0.1:1/mydb",
    "postgres://127.0.0.1:1/mydb?user=me&password={quoted}",
    "postgres://127.0.0.1:1/mydb?user=me&password={raw}",
    "host=127.0.0.1 port=1 dbname=mydb user=me password={raw}",
    "host=127.0.0.1 port=1 dbname=mydb user=me password='{escaped}'",
    "password='{escaped}' host=127.0.0.1 port=1 dbname=mydb",
)


def _written(form: str, secret: str) -> str:
    escaped = secret.replace("\\", "\\\\").replace("'", "\\'")
    return form.format(raw=secret, quoted=quote(secret, safe=""), escaped=escaped)


def _leaks(message: str, secret: str) -> bool:
    # Its parts count too: a password that is not encoded is torn apart by what is in it.
    return "Zq7" in message or "7qZ" in message or secret in message


@given(st.sampled_from(FORMS), SECRETS)
@example("postgresql://me:{raw}@127.0.0.1:1/mydb", "Zq7@host/7qZ")
@example("postgresql://me:{raw}@127.0.0.1:1/mydb", "Zq7/7qZ")
@example("postgresql://me:{raw}@127.0.0.1:1/mydb", "Zq7?host=7qZ")
@example("postgresql://me:{raw}@127.0.0.1:1/mydb", "Zq7:7qZ")
@example("postgresql://me:{raw}@127.0.0.1:1/mydb", "Zq7@7qZ?application_name=x")
def test_a_password_is_never_told(form: str, secret: str) -> None:
    """No form of address gives its password away, whole or in part."""
    assert not _leaks(redacted(_written(form, secret)), secret)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "secret", ["Zq7/7qZ", "Zq7@7qZ", "Zq7 7qZ", "Zq7?a=7qZ", "Zq7%7qZ", "Zq77qZ"]
)
def test_a_failing_connection_does_not_tell_it(form: str, secret: str) -> None:
    """Neither the line nor what hangs on it gives the password away when connecting fails."""
    with pytest.raises(DeltabenchError) as caught:
        postgres_address.connect(in_schema(_written(form, secret), "s"))
    assert not _leaks(str(caught.value), secret)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@given(st.sampled_from([form for form in FORMS if "{raw}" not in form]), SECRETS)
def test_well_written_addresses_are_told(form: str, secret: str) -> None:
    """Host, port and database of a correct address are shown."""
    assert redacted(_written(form, secret)) == "127.0.0.1:1/mydb"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://localhost", "localhost:5432/"),
        ("postgresql://u@h.example:5433/d-b_1", "h.example:5433/d-b_1"),
        ("postgresql:///db?host=/run/socket", "/run/socket:5432/db"),
        ("hostaddr=10.0.0.1 dbname=x", "10.0.0.1:5432/x"),
        ("postgresql://u:p@a/b@h/db", HIDDEN),
        ("postgresql://u:1/2@h/db", HIDDEN),
        ("nonsense", HIDDEN),
        ("", "localhost:5432/"),
    ],
)
def test_what_is_shown(address: str, shown: str) -> None:
    """The shown part is host, port and database, or nothing where they are unclear."""
    assert redacted(address) == shown


def test_a_schema_joins_the_options_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options of the user's own, in the address or in the environment, stay in force."""
    assert "-c a=b -c search_path=s" in in_schema("postgresql://h/d?options=-c%20a%3Db", "s")
    monkeypatch.setenv("PGOPTIONS", "-c x=y")
    assert "-c x=y -c search_path=s" in in_schema("postgresql://h/d", "s")


def test_an_unreadable_address_is_one_line() -> None:
    """An address that libpq cannot read is refused with an example and without a quote."""
    with pytest.raises(DeltabenchError, match="cannot be read") as caught:
        in_schema("postgresql://u:Zq7%@h/d", "s")
    assert "Zq7" not in str(caught.value)

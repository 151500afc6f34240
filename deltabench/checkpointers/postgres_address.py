"""PostgreSQL addresses: telling where without telling the password, and connecting.

What is shown is built from the parts that libpq itself reads out of a URL, never from
the URL. A password that is not encoded can spill into the parts next to it; then the
parts do not look like a host, a port and a name, and nothing at all is shown. Messages
of libpq are not passed on either, since they quote what they could not read.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from deltabench.errors import DeltabenchError, ExitCode

if TYPE_CHECKING:
    import psycopg

HIDDEN = "the given address"
_SHAPES = {
    "host": re.compile(r"[\w.\-:,/]*", re.ASCII),
    "hostaddr": re.compile(r"[\da-fA-F.:,]*", re.ASCII),
    "port": re.compile(r"[\d,]*", re.ASCII),
    "dbname": re.compile(r"[\w.\-]*", re.ASCII),
}
# What libpq or the server says -> what is said here.
_REASONS = {
    "password authentication failed": "the user or the password was not accepted",
    "no password supplied": "a password is needed",
    "no pg_hba.conf entry": "the server does not admit this user from here",
    "Connection refused": "nothing listens there",
    "No such file or directory": "nothing listens there",
    "timeout expired": "no answer in time",
    "Network is unreachable": "the network is unreachable",
    "No route to host": "the network is unreachable",
    "could not translate host name": "the host name is not known",
    "failed to resolve host": "the host name is not known",
    "does not exist": "the database or the user does not exist",
    "too many clients": "the server has no connection left",
    "remaining connection slots": "the server has no connection left",
    "SSL": "no agreement about SSL",
}


def redacted(url: str) -> str:
    """Host, port and database of an address, or a fixed phrase where these are unclear."""
    # More than one @ means that some part of it was not encoded.
    parts = _parsed(url) if url.count("@") <= 1 or "://" not in url else None
    if parts is None:
        return HIDDEN
    shown = {name: str(parts.get(name) or "") for name in _SHAPES}
    if not all(shape.fullmatch(shown[name]) for name, shape in _SHAPES.items()):
        return HIDDEN
    host = shown["host"] or shown["hostaddr"] or "localhost"
    return f"{host}:{shown['port'] or '5432'}/{shown['dbname']}"


def connect(url: str, **parameters: Any) -> psycopg.Connection[Any]:
    """Connect with autocommit, as `PostgresSaver.from_conn_string` does.

    Raises DeltabenchError, with the address but never the password, when that fails.
    """
    import psycopg
    from psycopg.rows import dict_row

    try:
        return psycopg.Connection.connect(
            url, autocommit=True, prepare_threshold=0, row_factory=dict_row, **parameters
        )
    except psycopg.Error as error:
        reason = next((said for seen, said in _REASONS.items() if seen in str(error)), "")
        raise DeltabenchError(
            f"no connection to PostgreSQL at {redacted(url)}" + (f": {reason}" if reason else ""),
            hint="see --postgres-url; without one an embedded server is started",
            exit_code=ExitCode.REFUSED,
        ) from None


def in_schema(url: str, schema: str) -> str:
    """Give the address by which a connection works in `schema` and is named after it.

    Raises DeltabenchError when the address cannot be read.
    """
    from psycopg.conninfo import make_conninfo

    parts = _parsed(url)
    if parts is None:
        raise DeltabenchError(
            "the PostgreSQL address cannot be read",
            hint="postgresql://user:password@host:port/database, special characters %-encoded",
        )
    options = parts.get("options") or os.environ.get("PGOPTIONS", "")
    parts["options"] = f"{options} -c search_path={schema}".strip()
    parts["application_name"] = schema
    parts.setdefault("connect_timeout", 10)
    return make_conninfo("", **parts)


def _parsed(url: str) -> dict[str, Any] | None:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        return dict(conninfo_to_dict(url))
    except (psycopg.Error, UnicodeError, ValueError):
        return None

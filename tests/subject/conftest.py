"""Fixtures that several tests of subjects share."""

from __future__ import annotations

from tests.subject.graph_files import graphs

__all__ = ["graphs"]

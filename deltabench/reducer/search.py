"""Looking for the smallest input that does something, by hypothesis, repeatably."""

from __future__ import annotations

from contextlib import contextmanager
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from deltabench.errors import DeltabenchError
from deltabench.subject.loading import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypothesis import settings
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def smallest(
    values: SearchStrategy[T], wanted: Callable[[T], bool], *, max_examples: int, seed: int
) -> T | None:
    """The smallest value found for which `wanted` is true; None if there is none among them.

    Raises DeltabenchError when the values themselves cannot be made.
    """
    from hypothesis import find
    from hypothesis.errors import Flaky, NoSuchExample

    found: list[T] = []

    def keeping(value: T) -> bool:
        answer = wanted(value)
        if answer:
            found.append(value)
        return answer

    try:
        return find(values, keeping, settings=_settings(max_examples), random=Random(seed))
    except NoSuchExample:
        return None
    except Flaky:
        # What was seen once was seen; only the way to the smallest is lost.
        return found[-1]
    except DeltabenchError:
        raise
    except Exception as error:
        raise DeltabenchError(f"no values could be made: {one_line(error)}") from error


def sample(values: SearchStrategy[Any], count: int, *, seed: int) -> list[Any]:
    """That many values, repeatably."""
    drawn: list[Any] = []

    def keep(value: Any) -> bool:
        drawn.append(value)
        return False

    smallest(values, keep, max_examples=count, seed=seed)
    return drawn


@contextmanager
def no_traces() -> Iterator[None]:
    """Keep what hypothesis writes down beside its work out of the user's folder."""
    from hypothesis.configuration import set_hypothesis_home_dir, storage_directory

    place = storage_directory(intent_to_write=False)
    before: Any = getattr(place, "home_directory", place)  # a plain path in older versions
    with TemporaryDirectory() as home:
        set_hypothesis_home_dir(home)
        try:
            yield
        finally:
            set_hypothesis_home_dir(before)


def _settings(max_examples: int) -> settings:
    from hypothesis import Phase, Verbosity, settings

    return settings(
        max_examples=max_examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
    )

"""The contract that `DeltaChannel` asks of a reducer: checked, broken, explained."""

from deltabench.reducer.contract import check_reducer
from deltabench.reducer.fitness import Fitness, could_be_delta
from deltabench.reducer.forms import BatchForm
from deltabench.reducer.result import Call, Check, Counterexample, Growth, ReducerResult

__all__ = [
    "BatchForm",
    "Call",
    "Check",
    "Counterexample",
    "Fitness",
    "Growth",
    "ReducerResult",
    "check_reducer",
    "could_be_delta",
]

"""The graphs of a model to which an op refers: those that it runs, such as the branches of IF."""

from collections.abc import Iterator, Mapping
from re import fullmatch
from typing import Any, cast

RUNS_GRAPHS = frozenset(
    {
        *("CALL", "CALL_ONCE", "IF", "STABLEHLO_CASE", "STABLEHLO_COMPOSITE", "STABLEHLO_REDUCE"),
        *("STABLEHLO_REDUCE_WINDOW", "STABLEHLO_SCATTER", "STABLEHLO_SORT", "STABLEHLO_WHILE", "WHILE"),
    }
)
"""The kinds of ops that run graphs; kernels of others do not read the options, which a file may have of any kind."""
ONE, SEVERAL = "SubgraphIndex", "SubgraphIndices"
"""The endings of options with the number of a graph, and with those of several."""


def graphs_in(operator: Any) -> dict[str, int]:
    """The numbers of the graphs that the options of an op name, an `OperatorT`, by short names of the options."""
    found: dict[str, int] = {}
    for _, name, value in _fields(operator):
        if name.endswith(SEVERAL):
            found.update({f"{name.removesuffix(SEVERAL)}{place}": int(each) for place, each in enumerate(value)})
        else:
            found[name.removesuffix(ONE)] = int(value)
    return found


def refer(operator: Any, numbers: Mapping[str, int]) -> None:
    """Let the options of an op name other graphs."""
    for options, name, _ in list(_fields(operator)):
        short = name.removesuffix(ONE).removesuffix(SEVERAL)
        if name.endswith(SEVERAL):
            places = [each for each in numbers if fullmatch(rf"{short}\d+", each)]
            setattr(options, name, [numbers[f"{short}{place}"] for place in range(len(places))])
        else:
            setattr(options, name, numbers[short])


def _fields(operator: Any) -> Iterator[tuple[Any, str, Any]]:
    """The options of an op that name graphs: their object, name and value."""
    for options in (operator.builtinOptions, operator.builtinOptions2):
        fields = {} if options is None else cast("dict[str, Any]", vars(options))
        for name, value in fields.items():
            if name.endswith((ONE, SEVERAL)) or name == "subgraph":
                yield options, name, () if value is None and name.endswith(SEVERAL) else value

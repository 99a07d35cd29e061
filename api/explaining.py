"""`explain`: the reason for the layout of a value."""

from ..tools.observers.why import WantedValue, WrongValue
from .errors import NpuOptError, raised_as_own
from .results import Result


def explain(result: Result, value: str) -> str:
    """The reason for the layout of a value, by each layout pass that ran, as lines of text.

    `value` is a name as the program before the pass prints it, such as `%conv`, with or without the `%`, or
    `@function:%conv` if several functions have one.
    """
    if not result.choices:
        raise NpuOptError("argument result: expected the result of a layout pass, found one of other passes only")
    wanted = WantedValue(value)
    try:
        with raised_as_own(result.program.name):
            found = [line for layout_pass, module in result.choices for line in wanted.reasons(layout_pass, module)]
        if not found:
            raise wanted.missing()
    except WrongValue as error:
        raise NpuOptError(f"argument value: {error}") from error
    return "\n".join(found)

"""`--list-passes` and `--list-targets`."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from xdsl.passes import ModulePass, PassOptionInfo, get_pass_option_infos

from ...passes import PASS_TABLE

PassFactories = Mapping[str, Callable[[], type[ModulePass]]]


class PrintLines(argparse.Action):
    """Prints the lines that a function yields, and exits."""

    def __init__(self, *args: Any, lines: Callable[[], Iterable[str]], **options: Any) -> None:
        super().__init__(*args, nargs=0, **options)
        self.lines = lines

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        print("\n".join(self.lines()))
        parser.exit()


def target_list() -> Iterator[str]:
    """The built-in hardware targets."""
    # Imported late: only passes with a target need the loader.
    from ... import targets

    for name in sorted(targets.available()):
        target = targets.load(name)
        yield f"{target.name} - {target.description}"


def pass_list(passes: PassFactories) -> Iterator[str]:
    """The npu passes, then those of other packages, each with its options."""
    npu_passes = [name for name in sorted(passes) if name in PASS_TABLE]
    other_passes = [name for name in sorted(passes) if name not in PASS_TABLE]
    for title, names in (("npu passes:", npu_passes), ("xDSL passes:", other_passes)):
        yield title
        for name in names:
            yield from _pass_lines(name, passes[name]())


def pass_options(pass_type: type[ModulePass]) -> Iterator[str]:
    """`name: type = default` for each option of a pass."""
    for option in get_pass_option_infos(pass_type):
        if option.name != "name":
            yield _option_text(pass_type, option)


def _pass_lines(name: str, pass_type: type[ModulePass]) -> Iterator[str]:
    summary = _summary(pass_type)
    yield f"  {name} - {summary}" if summary else f"  {name}"
    for option in pass_options(pass_type):
        yield f"      {option}"


def _option_text(pass_type: type[ModulePass], option: PassOptionInfo) -> str:
    literal = re.fullmatch(r"(?:typing\.)?Literal\[(.*)\]", option.expected_type)
    type_ = "|".join(re.findall(r"'([^']*)'", literal[1])) if literal else option.expected_type
    text = f"{option.name.replace('_', '-')}: {type_}"
    # xDSL prints defaults in lower case.
    default = getattr(pass_type, option.name, None)
    return f"{text} = {default if isinstance(default, str) else option.default_value}" if option.default_value else text


def _summary(pass_type: type[ModulePass]) -> str:
    """The first paragraph of the docstring in one line, unless it is the generated one of a dataclass."""
    doc = inspect.cleandoc(pass_type.__doc__ or "")
    if doc.startswith(f"{pass_type.__name__}("):
        return ""
    return " ".join(doc.split("\n\n")[0].split())

"""`--list-passes` and `--list-targets`."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.passes import ModulePass, PassOptionInfo, get_pass_option_infos

from ...passes import PASS_TABLE

if TYPE_CHECKING:
    from ...targets import Target

PassFactories = Mapping[str, Callable[[], type[ModulePass]]]


class ListPasses(argparse.Action):
    """Prints every pass and exits."""

    def __init__(self, *args: Any, passes: PassFactories, **options: Any) -> None:
        super().__init__(*args, nargs=0, **options)
        self.passes = passes

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        print("\n".join(pass_list(self.passes)))
        parser.exit()


class ListTargets(argparse.Action):
    """Prints every hardware target and exits."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, nargs=0, **options)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        # Imported late: only the passes that read a target need the loader.
        from ... import targets

        for name in sorted(targets.available()):
            print(_target_line(targets.load(name)))
        parser.exit()


def pass_list(passes: PassFactories) -> Iterator[str]:
    """Our passes, then those of xDSL and of other packages; under each its options."""
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
    # xDSL's text of a default is in lower case, for the sake of truth values.
    default = getattr(pass_type, option.name, None)
    return f"{text} = {default if isinstance(default, str) else option.default_value}" if option.default_value else text


def _summary(pass_type: type[ModulePass]) -> str:
    """The first paragraph of the docstring, on one line. A dataclass without one gets its signature: not shown."""
    doc = inspect.cleandoc(pass_type.__doc__ or "")
    if doc.startswith(f"{pass_type.__name__}("):
        return ""
    return " ".join(doc.split("\n\n")[0].split())


def _target_line(target: Target) -> str:
    return f"{target.name} - {target.description}"

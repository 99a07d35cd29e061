"""Locations of ops, given ones and those from the text."""

import pytest
from npu_opt.text.locations import file_place, locate_in_text
from npu_opt.text.parser import NpuParser
from support.ir_text import context
from xdsl.parser import Parser

TEXT = """
// A comment,
"test.op"() ({ "test.op"() : () -> ()
^bb0(%x: i32):
\t%a, %b:2 = // and another one
    "test.op"() : () -> (i32, i32, i32)
}) : () -> ()
    "test.op"() : () -> () loc("model.py":7:1)
"test.op"() : () -> () loc(unknown)"""


@pytest.mark.parametrize("offset", [0, 40])
def test_ops_without_a_location_get_their_position(offset: int):
    parser = NpuParser(context(), TEXT, "x.mlir", line_offset=offset)
    ops = [op for op in parser.parse_module().walk() if op.name == "test.op"]
    locate_in_text(parser.source)
    places = [file_place(op.location) for op in ops]
    expected = [(3, 1), (3, 16), (6, 5), None, (9, 1)]
    assert places == [f"x.mlir:{pair[0] + offset}:{pair[1]}" if pair else "model.py:7:1" for pair in expected]
    for op, place in zip(ops, places, strict=True):
        span = parser.source.span_of(op)
        assert span is not None
        assert place in (str(span.get_location()), "model.py:7:1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('loc("a.py":1:2)', "a.py:1:2"),
        ("loc(unknown)", None),
        ('loc("name")', None),
        ('loc("name"("a.py":1:2))', "a.py:1:2"),
        ('loc(fused[unknown, "name", "x"("a.py":1:2), "b.py":3:4])', "a.py:1:2"),
        ('loc(callsite("a.py":1:2 at "b.py":3:4))', "a.py:1:2"),
        ('loc(callsite("f" at "b.py":3:4))', "b.py:3:4"),
    ],
)
def test_the_first_place_of_a_location(text: str, expected: str | None):
    location = Parser(context(), text).parse_optional_location()
    assert location is not None
    assert file_place(location) == expected

"""Elements at constant positions along an axis, and the gather of the flattened elements that LiteRT has for them."""

import pytest
from npu_opt.equivalence.compare import Verdict, compare
from support.ir_text import parse

T = "tensor<3x5xf32>"
ALONG = f"""func.func @main(%x: {T}) -> tensor<3x2xf32> {{
  %i = npu.constant dense<[[1, -1], [4, 0], [3, 3]]> : tensor<3x2xi64>
  %y = npu.gather_elements %x, %i axis = 1 : ({T}, tensor<3x2xi64>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}}"""


@pytest.mark.parametrize(
    ("places", "verdict"),
    [
        ("[[1, 4], [9, 5], [13, 13]]", Verdict.PROVED),
        ("[[1, -11], [9, 5], [13, -2]]", Verdict.PROVED),
        ("[[1, 4], [9, 5], [13, 14]]", Verdict.UNDECIDED),
        ("[[1, 0], [9, 5], [13, 13]]", Verdict.UNDECIDED),
    ],
)
def test_places_along_an_axis_are_places_among_all(places: str, verdict: Verdict):
    flat = f"""func.func @main(%x: {T}) -> tensor<3x2xf32> {{
      %r = npu.reshape %x : ({T}) -> tensor<15xf32>
      %i = npu.constant dense<{places}> : tensor<3x2xi32>
      %y = npu.gather %r, %i axis = 0 : (tensor<15xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
      func.return %y : tensor<3x2xf32>
    }}"""
    assert compare(parse(ALONG), parse(flat), by_formulas=True).verdict is verdict


def test_one_element_of_moved_elements():
    def program(place: int) -> str:
        return f"""func.func @main(%x: tensor<4xf32>) -> tensor<f32> {{
          %a = npu.slice %x starts = [1] limits = [4] : (tensor<4xf32>) -> tensor<3xf32>
          %b = npu.slice %x starts = [0] limits = [1] : (tensor<4xf32>) -> tensor<1xf32>
          %r = npu.concat %a, %b axis = 0 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
          %i = npu.constant dense<{place}> : tensor<i32>
          %y = npu.gather %r, %i axis = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<f32>
          func.return %y : tensor<f32>
        }}"""

    last = """func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
      %a = npu.slice %x starts = [3] limits = [4] : (tensor<4xf32>) -> tensor<1xf32>
      %y = npu.reshape %a : (tensor<1xf32>) -> tensor<f32>
      func.return %y : tensor<f32>
    }"""
    assert compare(parse(program(2)), parse(last)).verdict is Verdict.PROVED
    assert compare(parse(program(3)), parse(last)).verdict is Verdict.UNDECIDED

// RUN: npu-check %s %S/Inputs/check_integers.mlir | filecheck %s
// RUN: npu-check %s %S/Inputs/check_integers.mlir --json | filecheck %s --check-prefix=JSON
// RUN: sed -e "s/0.0625/0.0626/" %s > %t.scale.mlir
// RUN: not npu-check %t.scale.mlir %S/Inputs/check_integers.mlir | filecheck %s --check-prefix=SCALE
// RUN: sed -e "s/dense<7>/dense<8>/" %s > %t.zero.mlir
// RUN: not npu-check %t.zero.mlir %S/Inputs/check_integers.mlir | filecheck %s --check-prefix=ZERO

/// A convolution of dequantised values that is quantised is one of integers, if dequantised values are real numbers. It
/// is not with another scale of the bias, or another zero point.
// CHECK:      proved: {{.*}}check_quantised.mlir and {{.*}}check_integers.mlir compute the same
// CHECK-NEXT: note: assumed: dequantised values are real numbers, which are rounded only when they are quantised
// JSON:       "verdict": "proved"
// JSON-SAME:  "rounds_once": true, "by_formulas": false, "sizes_fit": false, "powers_fit": false, "offsets_fit": false, "zeros_absorb": false, "read_as": [], "out_of_time": false, "untried": []}
// SCALE:      undecided: @main: result 0 is not computed in the same way
// ZERO:       different: @main: on the random input of seed 0, element {{.*}}
func.func @main(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %b: tensor<4xi32>) -> tensor<1x4x8x8xui8> {
  %xs = npu.constant dense<0.5> : tensor<f32>
  %xz = npu.constant dense<3> : tensor<ui8>
  %ws = npu.constant dense<[0.5, 0.25, 0.125, 2.0]> : tensor<4xf32>
  %wz = npu.constant dense<0> : tensor<4xi8>
  %bs = npu.constant dense<[0.25, 0.125, 0.0625, 1.0]> : tensor<4xf32>
  %bz = npu.constant dense<0> : tensor<i32>
  %ys = npu.constant dense<4.0> : tensor<f32>
  %yz = npu.constant dense<7> : tensor<ui8>
  %xf = npu.dequantize %x, %xs, %xz : (tensor<1x3x8x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x8x8xf32>
  %wf = npu.dequantize %w, %ws, %wz axis = 0 : (tensor<4x3x3x3xi8>, tensor<4xf32>, tensor<4xi8>) -> tensor<4x3x3x3xf32>
  %bf = npu.dequantize %b, %bs, %bz axis = 0 : (tensor<4xi32>, tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  %c = npu.conv2d %xf, %wf, %bf pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  %y = npu.quantize %c, %ys, %yz : (tensor<1x4x8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4x8x8xui8>
  return %y : tensor<1x4x8x8xui8>
}

// RUN: not npu-check %S/Inputs/check_nchw.mlir %s | filecheck %s --check-prefixes CHECK,ONE
// RUN: not npu-check %S/Inputs/check_nchw.mlir %s --numeric --trials 3 | filecheck %s --check-prefixes CHECK,THREE

/// A rewrite that is more than a view: adding zero changes nothing, but value numbering does not know arithmetic.
// CHECK:      undecided: @main: result 0 is not computed in the same way
// CHECK-NEXT: {{.*}}check_nchw.mlir:4:14: note: the second program has nothing equal to: %softmax = "npu.softmax"(%conv) <{axis = 1 : i64}> : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
// CHECK-NEXT: {{.*}}check_undecided.mlir:14:11: note: the first program has nothing equal to: %zero = "npu.sub"(%conv, %conv) : (tensor<1x2x4x6xf32>, tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
/// The random inputs that were tried, and their results.
// ONE-NEXT:   note: @main was run on 1 random input (seed 0): the results agree, up to 0 (tolerance 0.001)
// THREE-NEXT: note: @main was run on 3 random inputs (seeds 0 to 2): the results agree, up to 0 (tolerance 0.001)
func.func @main(%x: tensor<1x8x4x6xf32>, %w: tensor<2x8x1x1xf32>) -> tensor<1x2x4x6xf32> {
  %conv = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<2x8x1x1xf32>) -> tensor<1x2x4x6xf32>
  %zero = npu.sub %conv, %conv : tensor<1x2x4x6xf32>
  %same = npu.add %conv, %zero : tensor<1x2x4x6xf32>
  %softmax = npu.softmax %same axis = 1 : tensor<1x2x4x6xf32>
  func.return %softmax : tensor<1x2x4x6xf32>
}

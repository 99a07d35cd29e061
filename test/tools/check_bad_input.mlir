// RUN: not npu-check %s %s.missing 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not npu-check %s %s 2>&1 | filecheck %s --check-prefix=INVALID
// RUN: not npu-check %s 2>&1 | filecheck %s --check-prefix=USAGE

/// Errors in a file or in the arguments have the usual form.
// INVALID: check_bad_input.mlir:11:8: error: 'npu.relu' result: expected shape 2x3, found 3x2
// MISSING: check_bad_input.mlir:11:8: error: 'npu.relu' result: expected shape 2x3, found 3x2
// USAGE: npu-check: error: the following arguments are required: SECOND

func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %y = npu.relu %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// RUN: npu-check %s %s | filecheck %s --check-prefix=SAME
// RUN: sed -e 's/vendor.tile = 1/vendor.tile = 2/' %s > %t.mlir
// RUN: not npu-check %s %t.mlir | filecheck %s --check-prefix=NOTE
// RUN: sed -e 's/npu.relu %y/npu.abs %y/' %s > %t.mlir
// RUN: not npu-check %s %t.mlir | filecheck %s --check-prefix=INNER

/// Everything in a module is compared: its attributes, and the functions of nested modules.
// SAME: proved: {{.*}}check_modules.mlir and {{.*}}check_modules.mlir compute the same
// NOTE: undecided: the attribute vendor.tile is 1 : i64 in the first program and 2 : i64 in the second
// INNER: undecided: @inner::@f: result 0 is not computed in the same way
module attributes {vendor.tile = 1 : i64} {
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    func.return %x : tensor<2x3xf32>
  }
  module @inner {
    func.func @f(%y: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %z = npu.relu %y : tensor<2x3xf32>
      func.return %z : tensor<2x3xf32>
    }
  }
}

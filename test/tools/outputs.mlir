// RUN: not npu-opt %s --layout-preset -o %t.mlir --report %t.mlir 2>&1 | filecheck %s
// RUN: not npu-opt %s --layout-preset --save-plan %t.mlir --report %t.mlir 2>&1 | filecheck %s --check-prefix=PLAN
// RUN: npu-opt %s --layout-preset -o /dev/null --report /dev/null

/// Two outputs in one file would lose one of them.
// CHECK: npu-opt: error: -o and --report both write '{{.*}}.mlir'
// PLAN:  npu-opt: error: --report and --save-plan both write '{{.*}}.mlir'
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}

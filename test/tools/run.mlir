// REQUIRES: mlir-bindings
// RUN: npu-run %s --compare %s | filecheck %s
// RUN: npu-run %s --engine numpy --seed 0 --compare %s | filecheck %s --check-prefix NUMPY
// RUN: npu-run %s --function halved --time 2 | filecheck %s --check-prefix TIME

/// A function is compiled and run on random inputs; the program that it is compared with is interpreted.
func.func @main(%x: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x1xi64>) {
  %y = func.call @halved(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %place = npu.arg_max %x axis = 1 keep : (tensor<1x4xf32>) -> tensor<1x1xi64>
  func.return %y, %place : tensor<1x4xf32>, tensor<1x1xi64>
}
func.func @halved(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %half = npu.constant dense<0.5> : tensor<f32>
  %y = npu.mul %x, %half : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}

// CHECK:      {{.*}}run.mlir: @main, by mlir
// CHECK-NEXT:   input  %x  1x4 of f32: random, seed 0
// CHECK-NEXT:   output 0   1x4 of f32: {{.*}} to {{.*}}, mean {{.*}}
// CHECK-NEXT:   output 1   1x1 of i64: {{.*}} to {{.*}}, mean {{.*}}
// CHECK-NEXT:   output 0: equal to {{.*}}run.mlir: largest difference {{.*}}, largest number
// CHECK-NEXT:   output 1: equal to {{.*}}run.mlir: 0 of 1 elements differ

// NUMPY:      {{.*}}run.mlir: @main, by numpy
// NUMPY:        output 0: equal to {{.*}}run.mlir: largest difference 0,

// TIME:      {{.*}}run.mlir: @halved, by mlir
// TIME:        time   2 runs: median {{.*}} ms, fastest {{.*}} ms; ready after {{.*}} s

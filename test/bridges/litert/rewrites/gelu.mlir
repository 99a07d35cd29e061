// RUN: npu-opt %s -t "tfl-mlir{rewrites=gelu}" | filecheck %s
// RUN: npu-opt %s -t "tfl-mlir{rewrites=gelu}" > %t.mlir && npu-opt %t.mlir -t "tfl-mlir{rewrites=gelu}" | diff %t.mlir -

/// The product is one op, and the error function alone a polynomial.
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = npu.constant dense<1.0> : tensor<f32>
  %half = npu.constant dense<0.5> : tensor<f32>
  %root = npu.constant dense<1.41421354> : tensor<f32>
  %a = npu.div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %b = npu.erf %a : tensor<4xf32>
  %c = npu.add %b, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %d = npu.mul %x, %c : tensor<4xf32>
  %y = npu.mul %d, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = npu.erf %x : tensor<4xf32>
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// CHECK: func.func @main(%0: !tfl.tensor<F32 [4]>) -> (!tfl.tensor<F32 [4], {name = "y"}>, !tfl.tensor<F32 [4], {name = "z"}>) {
// CHECK: %8 = tfl.op <{kind = "GELU", options = {approximate = false}, part_of = "npu.mul"}>(%0) : (!tfl.tensor<F32 [4]>) -> !tfl.tensor<F32 [4], {name = "y"}>
// CHECK: %28 = tfl.op <{kind = "MUL"}>(%26, %27) : (!tfl.tensor<F32 [4]>, !tfl.tensor<F32 [4]>) -> !tfl.tensor<F32 [4], {name = "z"}>
// CHECK: func.return %8, %28 : !tfl.tensor<F32 [4], {name = "y"}>, !tfl.tensor<F32 [4], {name = "z"}>
// CHECK-NOT: "ERF"

// RUN: npu-opt %s -t "tfl-mlir{rewrites=same-numbers}" | filecheck %s
// RUN: npu-opt %s -t "tfl-mlir{rewrites=same-numbers}" > %t.mlir && npu-opt %t.mlir -t "tfl-mlir{rewrites=same-numbers}" | diff %t.mlir -

/// Both readers want other scales: the argument has those of one, and a reshape to the same shape those of the other.
func.func @main(%x: tensor<2x3xi8>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %t = npu.constant dense<0.25> : tensor<f32>
  %zero = npu.constant dense<3> : tensor<i8>
  %a = npu.transpose %x permutation = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>
  %y = npu.dequantize %a, %s, %zero : (tensor<3x2xi8>, tensor<f32>, tensor<i8>) -> tensor<3x2xf32>
  %z = npu.dequantize %x, %t, %zero : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  func.return %y, %z : tensor<3x2xf32>, tensor<2x3xf32>
}

// CHECK: func.func @main(%0: !tfl.tensor<I8 [2, 3], {quantization = {scale = array<f64: 2.500000e-01>, zero_point = array<i64: 3>}}>) -> (!tfl.tensor<F32 [3, 2], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "z"}>) {
// CHECK-NEXT: %1 = tfl.source <I32, {numbers = dense<[2, 3]> : tensor<2xi32>}> : !tfl.tensor<I32 [2]>
// CHECK-NEXT: %2 = tfl.source <I32, {numbers = dense<[1, 0]> : tensor<2xi32>}> : !tfl.tensor<I32 [2]>
// CHECK-NEXT: %3 = tfl.op <{kind = "RESHAPE"}>(%0, %1) : (!tfl.tensor<I8 [2, 3], {quantization = {scale = array<f64: 2.500000e-01>, zero_point = array<i64: 3>}}>, !tfl.tensor<I32 [2]>) -> !tfl.tensor<I8 [2, 3], {quantization = {scale = array<f64: 5.000000e-01>, zero_point = array<i64: 3>}}>
// CHECK-NEXT: %4 = tfl.op <{kind = "TRANSPOSE", moved = 6 : i64}>(%3, %2) : (!tfl.tensor<I8 [2, 3], {quantization = {scale = array<f64: 5.000000e-01>, zero_point = array<i64: 3>}}>, !tfl.tensor<I32 [2]>) -> !tfl.tensor<I8 [3, 2], {quantization = {scale = array<f64: 5.000000e-01>, zero_point = array<i64: 3>}, name = "a"}>
// CHECK-NEXT: %5 = tfl.op <{kind = "DEQUANTIZE", part_of = "npu.dequantize"}>(%4) : (!tfl.tensor<I8 [3, 2], {quantization = {scale = array<f64: 5.000000e-01>, zero_point = array<i64: 3>}, name = "a"}>) -> !tfl.tensor<F32 [3, 2], {name = "y"}>
// CHECK-NEXT: %6 = tfl.op <{kind = "DEQUANTIZE", part_of = "npu.dequantize"}>(%0) : (!tfl.tensor<I8 [2, 3], {quantization = {scale = array<f64: 2.500000e-01>, zero_point = array<i64: 3>}}>) -> !tfl.tensor<F32 [2, 3], {name = "z"}>
// CHECK-NEXT: func.return %5, %6 : !tfl.tensor<F32 [3, 2], {name = "y"}>, !tfl.tensor<F32 [2, 3], {name = "z"}>

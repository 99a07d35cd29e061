// REQUIRES: litert
// RUN: npu-opt %s -o %t.tflite 2> /dev/null
// RUN: npu-opt %t.tflite | filecheck %s
// RUN: npu-check %s %t.tflite | filecheck %s --check-prefix PROVED
// RUN: npu-run %t.tflite --engine litert --random --compare %s | filecheck %s --check-prefix SAME

/// QUANTIZE and DEQUANTIZE have one scale per position of the axis that the program names. The kernel for several scales
/// rounds the middle of two integers away from 0, so the numbers are rounded to multiples before.
// CHECK:      %[[R:.*]] = npu.round
// CHECK:      %[[M:.*]] = npu.mul %[[R]], %{{.*}} : (tensor<2x3x4xf32>, tensor<1x3x1xf32>) -> tensor<2x3x4xf32>
// CHECK:      %[[Q:.*]] = npu.quantize %[[M]], %{{.*}}, %{{.*}} axis = 1 : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3x4xi8>
// CHECK:      npu.dequantize %[[Q]], %{{.*}}, %{{.*}} axis = 1 : (tensor<2x3x4xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3x4xf32>
// PROVED: proved
// SAME: equal
func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %s = npu.constant dense<[0.25, 0.5, 2.0]> : tensor<3xf32>
  %z = npu.constant dense<[0, 3, -4]> : tensor<3xi8>
  %q = npu.quantize %x, %s, %z axis = 1 : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3x4xi8>
  %y = npu.dequantize %q, %s, %z axis = 1 : (tensor<2x3x4xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

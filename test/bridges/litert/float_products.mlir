// REQUIRES: litert
// RUN: npu-opt %s -o %t.tflite 2>&1 | filecheck %s --match-full-lines
// RUN: npu-opt %s --recognise-quantised -o %t.tflite 2>&1 | filecheck %s --match-full-lines --check-prefix INTEGERS

/// A convolution between dequantisation and quantisation computes in floats, which a note says. The last product is
/// an output in floats as well, the one before it reads floats that are no quantised numbers.
// CHECK:      {{.*}}.tflite: note: 0 TRANSPOSEs in the file; the program costs 0 ns
// CHECK-NEXT: {{.*}}.tflite: note: 1 convolution or product computes in floats between quantised tensors (--recognise-quantised makes ops on integers)
// CHECK-NOT:  {{.*}}note{{.*}}

/// Ops on integers need no note.
// INTEGERS:     {{.*}}.tflite: note: 0 TRANSPOSEs in the file; the program costs 0 ns
// INTEGERS-NOT: {{.*}}note{{.*}}
func.func @main(%x: tensor<1x4x4x2xi8>, %y: tensor<2x3xf32>) -> (tensor<1x4x4x2xi8>, tensor<2x3xi8>, tensor<16x3xf32>, tensor<16x3xi8>) {
  %s = npu.constant dense<5.000000e-01> : tensor<f32>
  %z = npu.constant dense<3> : tensor<i8>
  %none = npu.constant dense<0> : tensor<i8>
  %k = npu.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
  %w = npu.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi8>
  %v = npu.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>

  %floats = npu.dequantize %x, %s, %z : (tensor<1x4x4x2xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x2xf32>
  %kernel = npu.dequantize %k, %s, %none : (tensor<2x2x1x1xi8>, tensor<f32>, tensor<i8>) -> tensor<2x2x1x1xf32>
  %conv = npu.conv2d %floats, %kernel data_layout = <NHWC> kernel_layout = <OIHW> : (tensor<1x4x4x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x4x4x2xf32>
  %relu = npu.relu %conv : tensor<1x4x4x2xf32>
  %q = npu.quantize %relu, %s, %z : (tensor<1x4x4x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x4x4x2xi8>

  %weights = npu.dequantize %w, %s, %none : (tensor<3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<3x3xf32>
  %product = npu.matmul %y, %weights : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %p = npu.quantize %product, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>

  %rows = npu.reshape %floats : (tensor<1x4x4x2xf32>) -> tensor<16x2xf32>
  %last = npu.dequantize %v, %s, %none : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %result = npu.matmul %rows, %last : (tensor<16x2xf32>, tensor<2x3xf32>) -> tensor<16x3xf32>
  %r = npu.quantize %result, %s, %z : (tensor<16x3xf32>, tensor<f32>, tensor<i8>) -> tensor<16x3xi8>
  func.return %q, %p, %result, %r : tensor<1x4x4x2xi8>, tensor<2x3xi8>, tensor<16x3xf32>, tensor<16x3xi8>
}

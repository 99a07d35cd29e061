// REQUIRES: litert
// RUN: npu-opt %s -o %t.tflite 2> /dev/null
// RUN: npu-opt %t.tflite | filecheck %s
// RUN: npu-check %s %t.tflite | filecheck %s --check-prefix PROVED
// RUN: npu-opt %t.tflite -o %t.again.tflite 2> /dev/null
// RUN: npu-opt %t.again.tflite | filecheck %s
// RUN: npu-opt %s --target=ethos-u55 -o %t.integers.tflite 2> /dev/null
// RUN: npu-opt %t.integers.tflite -o %t.kept.tflite 2> /dev/null
// RUN: npu-opt %t.kept.tflite | filecheck %s --check-prefix KEPT
// RUN: npu-opt %t.integers.tflite --free-rounding -o %t.freed.tflite 2> /dev/null
// RUN: npu-opt %t.freed.tflite | filecheck %s

/// Numbers that a model is given are divided by the scale, as in ONNX: QUANTIZE would multiply them by 1 / scale.
// CHECK:      %[[STEPS:.*]] = npu.div %input0, %[[SCALE:.*]] : (tensor<1x2x2x4xf32>, tensor<f32>) -> tensor<1x2x2x4xf32>
// CHECK-NEXT: %[[WHOLE:.*]] = npu.round %[[STEPS]] : tensor<1x2x2x4xf32>
// CHECK-NEXT: %[[NEAREST:.*]] = npu.mul %[[WHOLE]], %[[SCALE]] : (tensor<1x2x2x4xf32>, tensor<f32>) -> tensor<1x2x2x4xf32>
// CHECK:      %[[X:.*]] = npu.quantize %[[NEAREST]]

/// A summand is rounded by a number that is added and subtracted again, so that all sums are those of ONNX Runtime.
// CHECK:      %[[LHS:.*]] = npu.dequantize %[[X]]
// CHECK:      %[[MOVED:.*]] = npu.add %[[LHS]], %[[OFFSET:.*]] : (tensor<1x2x2x4xf32>, tensor<f32>) -> tensor<1x2x2x4xf32>
// CHECK-NEXT: %[[ROUNDED:.*]] = npu.sub %[[MOVED]], %[[OFFSET]] : (tensor<1x2x2x4xf32>, tensor<f32>) -> tensor<1x2x2x4xf32>
// CHECK:      %[[RHS:.*]] = npu.dequantize %input1
// CHECK:      %[[SUM:.*]] = npu.add %[[ROUNDED]], %[[RHS]] : tensor<1x2x2x4xf32>
// CHECK:      %[[Y:.*]] = npu.quantize %[[SUM]]

/// Means are those of integers, which are rounded once.
// CHECK:      npu.quant_global_avg_pool %[[Y]], {{.*}} data_layout = <NHWC> : (tensor<1x2x2x4xi8>, {{.*}}) -> tensor<1x1x1x4xi8>

/// All of it is proved for real numbers.
// PROVED:      proved: {{.*}}quantised_rounding.mlir and {{.*}}.tflite compute the same
// PROVED-NEXT: note: assumed: ops compute the arithmetic that defines them, step by step

/// For hardware without floats both stay in integers, and so they do in a file that is read and written again.
// KEPT-NOT: npu.div
// KEPT:     npu.quantize %input0, {{.*}} {litert.kind = "QUANTIZE"}
// KEPT:     npu.quant_add {{.*}} {litert.kind = "ADD"}
func.func @main(%x: tensor<1x2x2x4xf32>, %r: tensor<1x2x2x4xi8>) -> tensor<1x1x1x4xi8> {
  %as = npu.constant dense<0.01046986> : tensor<f32>
  %az = npu.constant dense<-7> : tensor<i8>
  %bs = npu.constant dense<0.015181579> : tensor<f32>
  %ys = npu.constant dense<0.016263591> : tensor<f32>
  %z = npu.constant dense<-128> : tensor<i8>
  %q = npu.quantize %x, %as, %az : (tensor<1x2x2x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2x2x4xi8>
  %y = npu.quant_add %q, %r, %as, %az, %bs, %z, %ys, %z
    : (tensor<1x2x2x4xi8>, tensor<1x2x2x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>)
    -> tensor<1x2x2x4xi8>
  %m = npu.quant_global_avg_pool %y, %ys, %z, %bs, %z data_layout = <NHWC>
    : (tensor<1x2x2x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x1x1x4xi8>
  func.return %m : tensor<1x1x1x4xi8>
}

// REQUIRES: mlir-bindings
// RUN: npu-opt %s -f tosa --split-input-file | filecheck %s

/// Ops of one operand.
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.ceil %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = tosa.cos %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = tosa.erf %2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = tosa.exp %3 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = tosa.floor %4 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = tosa.log %5 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = tosa.reciprocal %6 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = tosa.rsqrt %7 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = tosa.sigmoid %8 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = tosa.sin %9 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = tosa.tanh %10 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = tosa.negate %11, %z, %z : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  %13 = tosa.identity %12 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %13 : tensor<2x3xf32>
}

// CHECK:       func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %0 = npu.abs %x : tensor<2x3xf32>
// CHECK-NEXT:    %1 = npu.ceil %0 : tensor<2x3xf32>
// CHECK-NEXT:    %2 = npu.cos %1 : tensor<2x3xf32>
// CHECK-NEXT:    %3 = npu.erf %2 : tensor<2x3xf32>
// CHECK-NEXT:    %4 = npu.exp %3 : tensor<2x3xf32>
// CHECK-NEXT:    %5 = npu.floor %4 : tensor<2x3xf32>
// CHECK-NEXT:    %6 = npu.log %5 : tensor<2x3xf32>
// CHECK-NEXT:    %7 = npu.reciprocal %6 : tensor<2x3xf32>
// CHECK-NEXT:    %8 = npu.rsqrt %7 : tensor<2x3xf32>
// CHECK-NEXT:    %9 = npu.sigmoid %8 : tensor<2x3xf32>
// CHECK-NEXT:    %10 = npu.sin %9 : tensor<2x3xf32>
// CHECK-NEXT:    %11 = npu.tanh %10 : tensor<2x3xf32>
// CHECK-NEXT:    %12 = npu.neg %11 : tensor<2x3xf32>
// CHECK-NEXT:    func.return %12 : tensor<2x3xf32>

// -----

/// Bounds at the ends of a type are none. The largest f32 is a bound, since infinity is larger.
func.func @main(%x: tensor<4xf32>, %i: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xi8>) {
  %relu = tosa.clamp %x {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %finite = tosa.clamp %relu {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %six = tosa.clamp %finite {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %all = tosa.clamp %six {min_val = 0xFF800000 : f32, max_val = 0x7F800000 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %positive = tosa.clamp %i {min_val = 0 : i8, max_val = 127 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  %below = tosa.clamp %positive {min_val = -128 : i8, max_val = 9 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return %all, %below : tensor<4xf32>, tensor<4xi8>
}

// CHECK:       func.func @main(%x: tensor<4xf32>, %i: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xi8>) {
// CHECK-NEXT:    %relu = npu.relu %x : tensor<4xf32>
// CHECK-NEXT:    %finite = npu.clip %relu min = 0.000000e+00 max = 3.4028234663852886e+38
// CHECK-SAME:      : tensor<4xf32>
// CHECK-NEXT:    %six = npu.clip %finite min = 0.000000e+00 max = 6.000000e+00 : tensor<4xf32>
// CHECK-NEXT:    %positive = npu.relu %i : tensor<4xi8>
// CHECK-NEXT:    %below = npu.clip %positive max = 9.000000e+00 : tensor<4xi8>
// CHECK-NEXT:    func.return %six, %below : tensor<4xf32>, tensor<4xi8>

// -----

/// Ops of two operands, of which axes of one element are repeated. Small integers are multiplied as those of the result.
func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>, %i: tensor<2x3xi32>, %s: tensor<2x3xi8>) -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xi32>) {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.add %x, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.sub %0, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %2 = tosa.mul %1, %y, %z : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
  %3 = tosa.pow %2, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %4 = tosa.maximum %3, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %5 = tosa.minimum %4, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %6 = tosa.intdiv %i, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %7 = tosa.bitwise_and %6, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %8 = tosa.bitwise_or %7, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %9 = tosa.bitwise_xor %8, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %10 = tosa.bitwise_not %9 : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %11 = tosa.mul %s, %s, %z : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<1xi8>) -> tensor<2x3xi32>
  return %5, %10, %11 : tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xi32>
}

// CHECK:       func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>, %i: tensor<2x3xi32>, %s: tensor<2x3xi8>) -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xi32>) {
// CHECK-NEXT:    %0 = npu.add %x, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %1 = npu.sub %0, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %2 = npu.mul %1, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %3 = npu.pow %2, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %4 = npu.max %3, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %5 = npu.min %4, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    %6 = npu.div %i, %i : tensor<2x3xi32>
// CHECK-NEXT:    %7 = npu.and %6, %i : tensor<2x3xi32>
// CHECK-NEXT:    %8 = npu.or %7, %i : tensor<2x3xi32>
// CHECK-NEXT:    %9 = npu.xor %8, %i : tensor<2x3xi32>
// CHECK-NEXT:    %10 = npu.not %9 : tensor<2x3xi32>
// CHECK-NEXT:    %11 = npu.cast %s : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK-NEXT:    %12 = npu.cast %s : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK-NEXT:    %13 = npu.mul %11, %12 : tensor<2x3xi32>
// CHECK-NEXT:    func.return %5, %10, %13 : tensor<2x3xf32>, tensor<2x3xi32>, tensor<2x3xi32>

// -----

/// Comparisons and truth values.
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tosa.equal %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %1 = tosa.greater %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %2 = tosa.greater_equal %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %3 = tosa.logical_and %0, %1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %4 = tosa.logical_or %3, %2 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %5 = tosa.logical_xor %4, %0 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %6 = tosa.logical_not %5 : (tensor<2x3xi1>) -> tensor<2x3xi1>
  %7 = tosa.select %6, %x, %y : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %7 : tensor<2x3xf32>
}

// CHECK:       func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %0 = npu.equal %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:    %1 = npu.greater %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:    %2 = npu.greater_equal %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:    %3 = npu.and %0, %1 : tensor<2x3xi1>
// CHECK-NEXT:    %4 = npu.or %3, %2 : tensor<2x3xi1>
// CHECK-NEXT:    %5 = npu.xor %4, %0 : tensor<2x3xi1>
// CHECK-NEXT:    %6 = npu.not %5 : tensor<2x3xi1>
// CHECK-NEXT:    %7 = npu.select %6, %x, %y : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    func.return %7 : tensor<2x3xf32>

// -----

/// A float becomes the nearest integer and is saturated, as when it is quantised in steps of 1; other casts are npu's.
func.func @main(%x: tensor<2x3xf16>) -> tensor<2x3xf32> {
  %0 = tosa.cast %x : (tensor<2x3xf16>) -> tensor<2x3xi8>
  %1 = tosa.cast %0 : (tensor<2x3xi8>) -> tensor<2x3xi32>
  %2 = tosa.cast %1 : (tensor<2x3xi32>) -> tensor<2x3xi1>
  %3 = tosa.cast %2 : (tensor<2x3xi1>) -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// CHECK:       func.func @main(%x: tensor<2x3xf16>) -> tensor<2x3xf32> {
// CHECK-NEXT:    %0 = npu.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT:    %1 = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %2 = npu.cast %x : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK-NEXT:    %3 = npu.quantize %2, %0, %1 : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
// CHECK-NEXT:    %4 = npu.cast %3 : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK-NEXT:    %5 = npu.cast %4 : (tensor<2x3xi32>) -> tensor<2x3xi1>
// CHECK-NEXT:    %6 = npu.cast %5 : (tensor<2x3xi1>) -> tensor<2x3xf32>
// CHECK-NEXT:    func.return %6 : tensor<2x3xf32>

// -----

/// Integers are whole, so that nothing rounds them.
func.func @main(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = tosa.ceil %x : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %1 = tosa.floor %0 : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %1 : tensor<2x3xi32>
}

// CHECK:       func.func @main(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
// CHECK-NEXT:    func.return %x : tensor<2x3xi32>

// -----

/// A rescaling by 1 takes the zero point off, or puts it on and saturates.
func.func @main(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %a, %z {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<2x3xi32>
  %1 = tosa.rescale %0, %m, %s, %z, %z8 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %1 : tensor<2x3xi8>
}

// CHECK:       func.func @main(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
// CHECK-NEXT:    %0 = npu.constant dense<5> : tensor<1x1xi32>
// CHECK-NEXT:    %1 = npu.cast %x : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK-NEXT:    %2 = npu.add %1, %0 : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
// CHECK-NEXT:    %3 = npu.clip %2 min = -1.280000e+02 max = 1.270000e+02 : tensor<2x3xi32>
// CHECK-NEXT:    %4 = npu.cast %3 : (tensor<2x3xi32>) -> tensor<2x3xi8>
// CHECK-NEXT:    func.return %4 : tensor<2x3xi8>

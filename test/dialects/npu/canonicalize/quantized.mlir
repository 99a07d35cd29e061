// RUN: npu-opt %s --canonicalize --split-input-file | filecheck %s
// RUN: npu-opt %s --canonicalize --canonicalize --split-input-file | filecheck %s

/// Integers that are dequantised, and quantised with equal parameters, are these integers.
// CHECK-LABEL: func.func @same
// CHECK-SAME:    (%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
// CHECK-NEXT:    func.return %x : tensor<2x3xi8>
// CHECK-NEXT:  }
func.func @same(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %s = npu.constant dense<0.3> : tensor<f32>
  %z = npu.constant dense<-5> : tensor<i8>
  %y = npu.dequantize %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %other = npu.constant dense<0.3> : tensor<f32>
  %point = npu.constant dense<-5> : tensor<i8>
  %q = npu.quantize %y, %other, %point : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  func.return %q : tensor<2x3xi8>
}

// -----

/// So are those of 16 bits with the least and with the largest scale, layouts and unknown sizes among them.
// CHECK-LABEL: func.func @limits
// CHECK-SAME:    (%x: tensor<1x?x8x4xui16, #npu.layout<NHWC>>) -> tensor<1x?x8x4xui16, #npu.layout<NHWC>> {
// CHECK-NEXT:    func.return %x : tensor<1x?x8x4xui16, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @limits(%x: tensor<1x?x8x4xui16, #npu.layout<NHWC>>) -> tensor<1x?x8x4xui16, #npu.layout<NHWC>> {
  %least = npu.constant dense<0x0D800000> : tensor<f32>
  %most = npu.constant dense<0x71800000> : tensor<f32>
  %z = npu.constant dense<65535> : tensor<ui16>
  %a = npu.dequantize %x, %least, %z : (tensor<1x?x8x4xui16, #npu.layout<NHWC>>, tensor<f32>, tensor<ui16>) -> tensor<1x?x8x4xf32, #npu.layout<NHWC>>
  %b = npu.quantize %a, %least, %z : (tensor<1x?x8x4xf32, #npu.layout<NHWC>>, tensor<f32>, tensor<ui16>) -> tensor<1x?x8x4xui16, #npu.layout<NHWC>>
  %c = npu.dequantize %b, %most, %z : (tensor<1x?x8x4xui16, #npu.layout<NHWC>>, tensor<f32>, tensor<ui16>) -> tensor<1x?x8x4xf32, #npu.layout<NHWC>>
  %d = npu.quantize %c, %most, %z : (tensor<1x?x8x4xf32, #npu.layout<NHWC>>, tensor<f32>, tensor<ui16>) -> tensor<1x?x8x4xui16, #npu.layout<NHWC>>
  func.return %d : tensor<1x?x8x4xui16, #npu.layout<NHWC>>
}

// -----

/// The numbers stay for others that read them, and the zero point may be known at run time only.
// CHECK-LABEL: func.func @read_twice
// CHECK-SAME:    (%x: tensor<4xi8>, %z: tensor<i8>) -> (tensor<4xf32>, tensor<4xi8>) {
// CHECK-NEXT:    %s = npu.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT:    %y = npu.dequantize %x, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    func.return %y, %x : tensor<4xf32>, tensor<4xi8>
// CHECK-NEXT:  }
func.func @read_twice(%x: tensor<4xi8>, %z: tensor<i8>) -> (tensor<4xf32>, tensor<4xi8>) {
  %s = npu.constant dense<2.0> : tensor<f32>
  %y = npu.dequantize %x, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %q = npu.quantize %y, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  func.return %y, %q : tensor<4xf32>, tensor<4xi8>
}

// -----

/// A transpose between both is not passed; a transpose of it that cancels is.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME:    (%x: tensor<2x3xi8>) -> (tensor<3x2xi8>, tensor<2x3xi8>) {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %y = npu.dequantize %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
// CHECK-NEXT:    %t = npu.transpose %y permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    %q = npu.quantize %t, %s, %z : (tensor<3x2xf32>, tensor<f32>, tensor<i8>) -> tensor<3x2xi8>
// CHECK-NEXT:    func.return %q, %x : tensor<3x2xi8>, tensor<2x3xi8>
// CHECK-NEXT:  }
func.func @transposed(%x: tensor<2x3xi8>) -> (tensor<3x2xi8>, tensor<2x3xi8>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<0> : tensor<i8>
  %y = npu.dequantize %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %t = npu.transpose %y permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %q = npu.quantize %t, %s, %z : (tensor<3x2xf32>, tensor<f32>, tensor<i8>) -> tensor<3x2xi8>
  %u = npu.transpose %t permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %r = npu.quantize %u, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  func.return %q, %r : tensor<3x2xi8>, tensor<2x3xi8>
}

// -----

/// Relabels in between stay, on integers.
// CHECK-LABEL: func.func @relabelled
// CHECK-SAME:    (%x: tensor<1x4x1x3xi8, #npu.layout<NHWC>>) -> tensor<1x4x1x3xi8, #npu.layout<Tensor>> {
// CHECK-NEXT:    %q = npu.relabel %x : (tensor<1x4x1x3xi8, #npu.layout<NHWC>>) -> tensor<1x4x1x3xi8, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %q : tensor<1x4x1x3xi8, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @relabelled(%x: tensor<1x4x1x3xi8, #npu.layout<NHWC>>) -> tensor<1x4x1x3xi8, #npu.layout<Tensor>> {
  %s = npu.constant dense<0.5> : tensor<f32>
  %z = npu.constant dense<0> : tensor<i8>
  %y = npu.dequantize %x, %s, %z : (tensor<1x4x1x3xi8, #npu.layout<NHWC>>, tensor<f32>, tensor<i8>) -> tensor<1x4x1x3xf32, #npu.layout<NHWC>>
  %r = npu.relabel %y : (tensor<1x4x1x3xf32, #npu.layout<NHWC>>) -> tensor<1x4x1x3xf32, #npu.layout<Tensor>>
  %q = npu.quantize %r, %s, %z : (tensor<1x4x1x3xf32, #npu.layout<Tensor>>, tensor<f32>, tensor<i8>) -> tensor<1x4x1x3xi8, #npu.layout<Tensor>>
  func.return %q : tensor<1x4x1x3xi8, #npu.layout<Tensor>>
}

// -----

/// Parameters for each position of an axis are compared position by position.
// CHECK-LABEL: func.func @axes
// CHECK-SAME:    (%x: tensor<2x2xi8>) -> (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) {
// CHECK-NEXT:    %s = npu.constant dense<[5.000000e-01, 3.000000e-01]> : tensor<2xf32>
// CHECK-NEXT:    %swapped = npu.constant dense<[3.000000e-01, 5.000000e-01]> : tensor<2xf32>
// CHECK-NEXT:    %z = npu.constant dense<[1, -1]> : tensor<2xi8>
// CHECK-NEXT:    %y = npu.dequantize %x, %s, %z axis = 1 : (tensor<2x2xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xf32>
// CHECK-NEXT:    %b = npu.quantize %y, %s, %z axis = 0 : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xi8>
// CHECK-NEXT:    %c = npu.quantize %y, %swapped, %z axis = 1 : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xi8>
// CHECK-NEXT:    func.return %x, %b, %c : tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>
// CHECK-NEXT:  }
func.func @axes(%x: tensor<2x2xi8>) -> (tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>) {
  %s = npu.constant dense<[0.5, 0.3]> : tensor<2xf32>
  %swapped = npu.constant dense<[0.3, 0.5]> : tensor<2xf32>
  %z = npu.constant dense<[1, -1]> : tensor<2xi8>
  %y = npu.dequantize %x, %s, %z axis = 1 : (tensor<2x2xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xf32>
  %a = npu.quantize %y, %s, %z axis = 1 : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xi8>
  %b = npu.quantize %y, %s, %z axis = 0 : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xi8>
  %c = npu.quantize %y, %swapped, %z axis = 1 : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xi8>
  func.return %a, %b, %c : tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi8>
}

// -----

/// Another scale, another zero point, and integers of another type are other numbers; a scale that is known at run time
/// only may be 0.
// CHECK-LABEL: func.func @others
// CHECK-SAME:    (%x: tensor<4xi8>, %s: tensor<f32>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xi8>) {
// CHECK-NEXT:    %half = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %third = npu.constant dense<3.000000e-01> : tensor<f32>
// CHECK-NEXT:    %z = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %one = npu.constant dense<1> : tensor<i8>
// CHECK-NEXT:    %byte = npu.constant dense<0> : tensor<ui8>
// CHECK-NEXT:    %y = npu.dequantize %x, %half, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %a = npu.quantize %y, %third, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    %b = npu.quantize %y, %half, %one : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    %c = npu.quantize %y, %half, %byte : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
// CHECK-NEXT:    %v = npu.dequantize %x, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %d = npu.quantize %v, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    func.return %a, %b, %c, %d : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xi8>
// CHECK-NEXT:  }
func.func @others(%x: tensor<4xi8>, %s: tensor<f32>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xi8>) {
  %half = npu.constant dense<0.5> : tensor<f32>
  %third = npu.constant dense<0.3> : tensor<f32>
  %z = npu.constant dense<0> : tensor<i8>
  %one = npu.constant dense<1> : tensor<i8>
  %byte = npu.constant dense<0> : tensor<ui8>
  %y = npu.dequantize %x, %half, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %a = npu.quantize %y, %third, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %b = npu.quantize %y, %half, %one : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %c = npu.quantize %y, %half, %byte : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  %v = npu.dequantize %x, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %d = npu.quantize %v, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  func.return %a, %b, %c, %d : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xi8>
}

// -----

/// Integers of 32 bits, and numbers and scales of 16, are rounded in between.
// CHECK-LABEL: func.func @rounded
// CHECK-SAME:    (%x: tensor<4xi32>, %b: tensor<4xi8>) -> (tensor<4xi32>, tensor<4xi8>, tensor<4xi8>) {
// CHECK-NEXT:    %s = npu.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %h = npu.constant dense<5.000000e-01> : tensor<f16>
// CHECK-NEXT:    %z = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %w = npu.constant dense<0> : tensor<i32>
// CHECK-NEXT:    %y = npu.dequantize %x, %s, %w : (tensor<4xi32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
// CHECK-NEXT:    %q = npu.quantize %y, %s, %w : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xi32>
// CHECK-NEXT:    %u = npu.dequantize %b, %h, %z : (tensor<4xi8>, tensor<f16>, tensor<i8>) -> tensor<4xf16>
// CHECK-NEXT:    %r = npu.quantize %u, %h, %z : (tensor<4xf16>, tensor<f16>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    %v = npu.dequantize %b, %h, %z : (tensor<4xi8>, tensor<f16>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %t = npu.quantize %v, %h, %z : (tensor<4xf32>, tensor<f16>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    func.return %q, %r, %t : tensor<4xi32>, tensor<4xi8>, tensor<4xi8>
// CHECK-NEXT:  }
func.func @rounded(%x: tensor<4xi32>, %b: tensor<4xi8>) -> (tensor<4xi32>, tensor<4xi8>, tensor<4xi8>) {
  %s = npu.constant dense<0.5> : tensor<f32>
  %h = npu.constant dense<0.5> : tensor<f16>
  %z = npu.constant dense<0> : tensor<i8>
  %w = npu.constant dense<0> : tensor<i32>
  %y = npu.dequantize %x, %s, %w : (tensor<4xi32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
  %q = npu.quantize %y, %s, %w : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xi32>
  %u = npu.dequantize %b, %h, %z : (tensor<4xi8>, tensor<f16>, tensor<i8>) -> tensor<4xf16>
  %r = npu.quantize %u, %h, %z : (tensor<4xf16>, tensor<f16>, tensor<i8>) -> tensor<4xi8>
  %v = npu.dequantize %b, %h, %z : (tensor<4xi8>, tensor<f16>, tensor<i8>) -> tensor<4xf32>
  %t = npu.quantize %v, %h, %z : (tensor<4xf32>, tensor<f16>, tensor<i8>) -> tensor<4xi8>
  func.return %q, %r, %t : tensor<4xi32>, tensor<4xi8>, tensor<4xi8>
}

// -----

/// Products with tiny and huge scales are none of f32; 0, negative scales, infinity and NaN are no scales.
// CHECK-LABEL: func.func @scales
// CHECK-SAME:    (%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
// CHECK-NEXT:    %z = npu.constant dense<0> : tensor<i8>
// CHECK-NEXT:    %tiny = npu.constant dense<7.88860858e-31> : tensor<f32>
// CHECK-NEXT:    %a = npu.dequantize %x, %tiny, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %q0 = npu.quantize %a, %tiny, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    %huge = npu.constant dense<1.26765075e+30> : tensor<f32>
// CHECK-NEXT:    %b = npu.dequantize %x, %huge, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %q1 = npu.quantize %b, %huge, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    %nothing = npu.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT:    %c = npu.dequantize %x, %nothing, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %q2 = npu.quantize %c, %nothing, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    %less = npu.constant dense<-5.000000e-01> : tensor<f32>
// CHECK-NEXT:    %d = npu.dequantize %x, %less, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %q3 = npu.quantize %d, %less, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    %most = npu.constant dense<0x7f800000> : tensor<f32>
// CHECK-NEXT:    %e = npu.dequantize %x, %most, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %q4 = npu.quantize %e, %most, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    %nan = npu.constant dense<0x7fc00000> : tensor<f32>
// CHECK-NEXT:    %f = npu.dequantize %x, %nan, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
// CHECK-NEXT:    %q5 = npu.quantize %f, %nan, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
// CHECK-NEXT:    func.return %q0, %q1, %q2, %q3, %q4, %q5 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
// CHECK-NEXT:  }
func.func @scales(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %z = npu.constant dense<0> : tensor<i8>
  %tiny = npu.constant dense<0x0D7FFFFF> : tensor<f32>
  %a = npu.dequantize %x, %tiny, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %q0 = npu.quantize %a, %tiny, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %huge = npu.constant dense<0x71800001> : tensor<f32>
  %b = npu.dequantize %x, %huge, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %q1 = npu.quantize %b, %huge, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %nothing = npu.constant dense<0.0> : tensor<f32>
  %c = npu.dequantize %x, %nothing, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %q2 = npu.quantize %c, %nothing, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %less = npu.constant dense<-0.5> : tensor<f32>
  %d = npu.dequantize %x, %less, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %q3 = npu.quantize %d, %less, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %most = npu.constant dense<0x7F800000> : tensor<f32>
  %e = npu.dequantize %x, %most, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %q4 = npu.quantize %e, %most, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %nan = npu.constant dense<0x7FC00000> : tensor<f32>
  %f = npu.dequantize %x, %nan, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %q5 = npu.quantize %f, %nan, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  func.return %q0, %q1, %q2, %q3, %q4, %q5 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

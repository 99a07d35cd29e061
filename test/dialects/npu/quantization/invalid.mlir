// RUN: NPU_VERIFY_DIAG

/// Floats are quantised.
// CHECK: error: 'npu.quantize' input: expected a float element type, found i32
func.func @f(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xi32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// The result holds integers.
// CHECK: error: 'npu.quantize' result: expected an integer element type, found f32
func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<f32>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

/// Truth values are not quantised integers.
// CHECK: error: 'npu.quantize' result: expected an integer element type, found i1
func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i1>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i1>) -> tensor<2x3xi1>
  return
}

// -----

/// There is no such axis.
// CHECK: error: 'npu.quantize' axis: expected an axis from 0 to 1, found 2
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %z: tensor<3xi8>) {
  %q = npu.quantize %x, %s, %z axis = 2 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3xi8>
  return
}

// -----

/// Axes are not negative.
// CHECK: error: 'npu.quantize' axis: expected an axis from 0 to 1, found -1
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %z: tensor<3xi8>) {
  %q = npu.quantize %x, %s, %z axis = -1 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3xi8>
  return
}

// -----

/// A scale is a float.
// CHECK: error: 'npu.quantize' scale: expected a float element type, found i32
func.func @f(%x: tensor<2x3xf32>, %s: tensor<i32>, %z: tensor<i8>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<i32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// There is one scale without an axis.
// CHECK: error: 'npu.quantize' scale: expected one element, found 3
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %z: tensor<i8>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<3xf32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// There is one for each position of the axis.
// CHECK: error: 'npu.quantize' scale: expected one element, or shape 2, found 3
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %z: tensor<2xi8>) {
  %q = npu.quantize %x, %s, %z axis = 0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<2xi8>) -> tensor<2x3xi8>
  return
}

// -----

/// In a vector.
// CHECK: error: 'npu.quantize' scale: expected one element, or shape 3, found 1x3
func.func @f(%x: tensor<2x3xf32>, %s: tensor<1x3xf32>, %z: tensor<3xi8>) {
  %q = npu.quantize %x, %s, %z axis = 1 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<3xi8>) -> tensor<2x3xi8>
  return
}

// -----

/// A scale has no letters.
// CHECK: error: 'npu.quantize' scale: expected a layout of class Tensor or NTensor, found NCW
func.func @f(%x: tensor<2x3xf32>, %s: tensor<1x1x1xf32, #npu.layout<NCW>>, %z: tensor<i8>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<1x1x1xf32, #npu.layout<NCW>>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// A zero point is one of the integers.
// CHECK: error: 'npu.quantize' zero_point: expected element type ui8, found i8
func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xui8>
  return
}

// -----

/// There is one zero point without an axis.
// CHECK: error: 'npu.quantize' zero_point: expected one element, found 3
func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<3xi8>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<3xi8>) -> tensor<2x3xi8>
  return
}

// -----

/// There is one for each position.
// CHECK: error: 'npu.quantize' zero_point: expected one element, or shape 3, found 2
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %z: tensor<2xi8>) {
  %q = npu.quantize %x, %s, %z axis = 1 : (tensor<2x3xf32>, tensor<3xf32>, tensor<2xi8>) -> tensor<2x3xi8>
  return
}

// -----

/// A zero point has no letters.
// CHECK: error: 'npu.quantize' zero_point: expected a layout of class Tensor or NTensor, found OIHW
func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<1x1x1x1xi8, #npu.layout<OIHW>>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<1x1x1x1xi8, #npu.layout<OIHW>>) -> tensor<2x3xi8>
  return
}

// -----

/// The integers have the shape of the floats.
// CHECK: error: 'npu.quantize' result: expected shape 2x3, found 3x2
func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<3x2xi8>
  return
}

// -----

/// The layout is kept.
// CHECK: error: 'npu.quantize' result: expected layout NHWC like input, found NWHC
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %s: tensor<4xf32>, %z: tensor<4xi8>) {
  %q = npu.quantize %x, %s, %z axis = 3
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<4xf32>, tensor<4xi8>) -> tensor<1x8x8x4xi8, #npu.layout<NWHC>>
  return
}

// -----

/// Integers represent floats.
// CHECK: error: 'npu.dequantize' input: expected an integer element type, found f32
func.func @f(%q: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<f32>) {
  %x = npu.dequantize %q, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

/// They do not represent integers.
// CHECK: error: 'npu.dequantize' result: expected a float element type, found i32
func.func @f(%q: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<i8>) {
  %x = npu.dequantize %q, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi32>
  return
}

// -----

/// dequantize: there is no such axis.
// CHECK: error: 'npu.dequantize' axis: expected an axis from 0 to 1, found 2
func.func @f(%q: tensor<2x3xi8>, %s: tensor<3xf32>, %z: tensor<3xi8>) {
  %x = npu.dequantize %q, %s, %z axis = 2 : (tensor<2x3xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<2x3xf32>
  return
}

// -----

/// dequantize: a scale is a float.
// CHECK: error: 'npu.dequantize' scale: expected a float element type, found i8
func.func @f(%q: tensor<2x3xi8>, %s: tensor<i8>, %z: tensor<i8>) {
  %x = npu.dequantize %q, %s, %z : (tensor<2x3xi8>, tensor<i8>, tensor<i8>) -> tensor<2x3xf32>
  return
}

// -----

/// dequantize: a zero point is one of the integers.
// CHECK: error: 'npu.dequantize' zero_point: expected element type i8, found i32
func.func @f(%q: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  %x = npu.dequantize %q, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

/// The floats have the shape of the integers.
// CHECK: error: 'npu.dequantize' result: expected shape 2x3, found 2x3x1
func.func @f(%q: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<i8>) {
  %x = npu.dequantize %q, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3x1xf32>
  return
}

// -----

/// dequantize: both have the same layout.
// CHECK: error: 'npu.dequantize' result: expected layout Tensor like input, found Tensor, [1, 0]
func.func @f(%q: tensor<4x4xi8, #npu.layout<Tensor>>, %s: tensor<f32>, %z: tensor<i8>) {
  %x = npu.dequantize %q, %s, %z
    : (tensor<4x4xi8, #npu.layout<Tensor>>, tensor<f32>, tensor<i8>) -> tensor<4x4xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// dynamic_quantize: the input is of f32.
// CHECK: error: 'npu.dynamic_quantize' input: expected element type f32, found f16{{$}}
func.func @f(%x: tensor<4x4xf16>) {
  %q, %s, %z = npu.dynamic_quantize %x : (tensor<4x4xf16>)
    -> (tensor<4x4xui8>, tensor<f32>, tensor<ui8>)
  return
}

// -----

/// The integers are unsigned.
// CHECK: error: 'npu.dynamic_quantize' result: expected element type ui8, found i8{{$}}
func.func @f(%x: tensor<4x4xf32>) {
  %q, %s, %z = npu.dynamic_quantize %x : (tensor<4x4xf32>)
    -> (tensor<4x4xi8>, tensor<f32>, tensor<ui8>)
  return
}

// -----

/// The zero point is of the type of the integers.
// CHECK: error: 'npu.dynamic_quantize' zero_point: expected element type ui8, found i8{{$}}
func.func @f(%x: tensor<4x4xf32>) {
  %q, %s, %z = npu.dynamic_quantize %x : (tensor<4x4xf32>)
    -> (tensor<4x4xui8>, tensor<f32>, tensor<i8>)
  return
}

// -----

/// The scale is a scalar.
// CHECK: error: 'npu.dynamic_quantize' scale: expected shape scalar, found 1{{$}}
func.func @f(%x: tensor<4x4xf32>) {
  %q, %s, %z = npu.dynamic_quantize %x : (tensor<4x4xf32>)
    -> (tensor<4x4xui8>, tensor<1xf32>, tensor<ui8>)
  return
}

// -----

/// The result has the shape of the input.
// CHECK: error: 'npu.dynamic_quantize' result: expected shape 4x4, found 4x5{{$}}
func.func @f(%x: tensor<4x4xf32>) {
  %q, %s, %z = npu.dynamic_quantize %x : (tensor<4x4xf32>)
    -> (tensor<4x5xui8>, tensor<f32>, tensor<ui8>)
  return
}

// -----

/// The result has the layout of the input.
// CHECK: error: 'npu.dynamic_quantize' result: expected layout Tensor like input, found Tensor, [1, 0]{{$}}
func.func @f(%x: tensor<4x4xf32, #npu.layout<Tensor>>) {
  %q, %s, %z = npu.dynamic_quantize %x : (tensor<4x4xf32, #npu.layout<Tensor>>)
    -> (tensor<4x4xui8, #npu.layout<Tensor, [1, 0]>>, tensor<f32>, tensor<ui8>)
  return
}

// -----

/// requantize: sums are of i32.
// CHECK: error: 'npu.requantize' input: expected element type i32, found i16{{$}}
func.func @f(%x: tensor<2x3xi16>, %a: tensor<f32>, %b: tensor<f32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z : (tensor<2x3xi16>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// requantize: the result holds integers.
// CHECK: error: 'npu.requantize' result: expected an integer element type, found f32{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<f32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z : (tensor<2x3xi32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  return
}

// -----

/// requantize: there is no such axis.
// CHECK: error: 'npu.requantize' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<f32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z axis = 2 : (tensor<2x3xi32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// requantize: the left factor has one scale.
// CHECK: error: 'npu.requantize' lhs_scale: expected one element, found 3{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<3xf32>, %b: tensor<f32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z axis = 1 : (tensor<2x3xi32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// requantize: a scale is a float.
// CHECK: error: 'npu.requantize' rhs_scale: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<i32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z : (tensor<2x3xi32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// requantize: without an axis there is one scale.
// CHECK: error: 'npu.requantize' rhs_scale: expected one element, found 3{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<3xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z : (tensor<2x3xi32>, tensor<f32>, tensor<3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// requantize: with an axis there is one for each position.
// CHECK: error: 'npu.requantize' rhs_scale: expected one element, or shape 3, found 2{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<2xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z axis = 1 : (tensor<2x3xi32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// requantize: the result has one scale.
// CHECK: error: 'npu.requantize' result_scale: expected one element, found 3{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<f32>, %s: tensor<3xf32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z axis = 1 : (tensor<2x3xi32>, tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// -----

/// requantize: the zero point is one of the integers.
// CHECK: error: 'npu.requantize' result_zero_point: expected element type i8, found ui8{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<f32>, %s: tensor<f32>, %z: tensor<ui8>) {
  %q = npu.requantize %x, %a, %b, %s, %z : (tensor<2x3xi32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xi8>
  return
}

// -----

/// requantize: the result has the shape of the sums.
// CHECK: error: 'npu.requantize' result: expected shape 2x3, found 3x2{{$}}
func.func @f(%x: tensor<2x3xi32>, %a: tensor<f32>, %b: tensor<f32>, %s: tensor<f32>, %z: tensor<i8>) {
  %q = npu.requantize %x, %a, %b, %s, %z : (tensor<2x3xi32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<3x2xi8>
  return
}

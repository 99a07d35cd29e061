// RUN: NPU_VERIFY_DIAG

/// Sizes are those of different axes.
// CHECK: error: 'npu.shape_of' axes: expected different axes from 0 to 1, found [1, 1]
func.func @f(%x: tensor<?x3xf32>) {
  %s = npu.shape_of %x axes = [1, 1] : (tensor<?x3xf32>) -> tensor<2xi64>
  return
}

// -----

/// The result has a size for each axis.
// CHECK: error: 'npu.shape_of' result: expected shape 2, found 3
func.func @f(%x: tensor<?x3xf32>) {
  %s = npu.shape_of %x axes = [1, 0] : (tensor<?x3xf32>) -> tensor<3xi64>
  return
}

// -----

/// Sizes are integers of 64 bits.
// CHECK: error: 'npu.shape_of' result: expected element type i64, found i32
func.func @f(%x: tensor<?x3xf32>) {
  %s = npu.shape_of %x axes = [1] : (tensor<?x3xf32>) -> tensor<1xi32>
  return
}

// -----

/// There is a position for each named axis.
// CHECK: error: 'npu.dynamic_slice' limits: expected shape 2, found 3
func.func @f(%x: tensor<4x3xf32>, %s: tensor<2xi64>, %e: tensor<3xi64>) {
  %y = npu.dynamic_slice %x, %s, %e axes = [0, 1] : (tensor<4x3xf32>, tensor<2xi64>, tensor<3xi64>) -> tensor<?x?xf32>
  return
}

// -----

/// One step for each axis.
// CHECK: error: 'npu.dynamic_slice' steps: expected shape 1, found 2
func.func @f(%x: tensor<4x3xf32>, %s: tensor<1xi64>, %t: tensor<2xi64>) {
  %y = npu.dynamic_slice %x, %s, %s, %t axes = [0] : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<2xi64>) -> tensor<?x3xf32>
  return
}

// -----

/// Other axes keep their sizes.
// CHECK: error: 'npu.dynamic_slice' result: expected shape ?x3, found ?x2
func.func @f(%x: tensor<4x3xf32>, %s: tensor<1xi64>) {
  %y = npu.dynamic_slice %x, %s, %s axes = [0] : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  return
}

// -----

/// Pads are two numbers for each axis.
// CHECK: error: 'npu.dynamic_pad' pads: expected shape 4, found 2
func.func @f(%x: tensor<4x3xf32>, %p: tensor<2xi64>) {
  %y = npu.dynamic_pad %x, %p axes = [0, 1] : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

/// The elements that are repeated have no value.
// CHECK: error: 'npu.dynamic_pad' value: expected none in mode "edge", found 1.0
func.func @f(%x: tensor<4x3xf32>, %p: tensor<2xi64>) {
  %y = npu.dynamic_pad %x, %p axes = [0] mode = "edge" value = 1.0 : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  return
}

// -----

/// There is one added element.
// CHECK: error: 'npu.dynamic_pad' fill: expected one element, found 2
func.func @f(%x: tensor<4x3xf32>, %p: tensor<2xi64>, %v: tensor<2xf32>) {
  %y = npu.dynamic_pad %x, %p, %v axes = [0] : (tensor<4x3xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<?x3xf32>
  return
}

// -----

/// The added element has the type of the others.
// CHECK: error: 'npu.dynamic_pad' fill: expected element type f32, found f16
func.func @f(%x: tensor<4x3xf32>, %p: tensor<2xi64>, %v: tensor<f16>) {
  %y = npu.dynamic_pad %x, %p, %v axes = [0] : (tensor<4x3xf32>, tensor<2xi64>, tensor<f16>) -> tensor<?x3xf32>
  return
}

// -----

/// Nothing is added in mode "edge" but the elements at the edge.
// CHECK: error: 'npu.dynamic_pad' fill: expected none with another value or mode than "constant", found one
func.func @f(%x: tensor<4x3xf32>, %p: tensor<2xi64>, %v: tensor<f32>) {
  %y = npu.dynamic_pad %x, %p, %v axes = [0] mode = "edge"
    : (tensor<4x3xf32>, tensor<2xi64>, tensor<f32>) -> tensor<?x3xf32>
  return
}

// -----

/// A split has as many results as parts.
// CHECK: error: 'npu.dynamic_split' parts: expected 1, found 2
func.func @f(%x: tensor<?x3xf32>) {
  %y = npu.dynamic_split %x axis = 0 parts = 2 : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return
}

// -----

/// There is a size for each part.
// CHECK: error: 'npu.dynamic_split' sizes: expected shape 2, found 3
func.func @f(%x: tensor<?x3xf32>, %s: tensor<3xi64>) {
  %y, %z = npu.dynamic_split %x, %s axis = 0 parts = 2
    : (tensor<?x3xf32>, tensor<3xi64>) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  return
}

// -----

/// Equal parts are of a multiple of their number.
// CHECK: error: 'npu.dynamic_split' equal: expected a multiple of 2 elements without sizes, found 3
func.func @f(%x: tensor<3x?xf32>) {
  %y, %z = npu.dynamic_split %x axis = 0 parts = 2 equal : (tensor<3x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return
}

// -----

/// Integers have no weighted mean.
// CHECK: error: 'npu.dynamic_interpolate' input: expected a float element type, found i8
func.func @f(%x: tensor<3x4xi8>, %s: tensor<2xf32>) {
  %y = npu.dynamic_interpolate %x, %s axes = [0, 1] : (tensor<3x4xi8>, tensor<2xf32>) -> tensor<?x?xi8>
  return
}

// -----

/// Nothing is outside of two neighbours.
// CHECK: error: 'npu.dynamic_interpolate' exclude_outside: expected none without cubic, found one
func.func @f(%x: tensor<3x4xf32>, %s: tensor<2xf32>) {
  %y = npu.dynamic_interpolate %x, %s axes = [0, 1] exclude_outside : (tensor<3x4xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return
}

// -----

/// Mode "symmetric" is one of numbers that are known.
// CHECK: error: 'npu.dynamic_pad' mode: expected "constant", "edge" or "reflect", found "symmetric"
func.func @f(%x: tensor<4x3xf32>, %p: tensor<2xi64>) {
  %y = npu.dynamic_pad %x, %p axes = [0] mode = "symmetric" : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  return
}

// -----

/// Repeats are integers.
// CHECK: error: 'npu.dynamic_tile' repeats: expected an integer element type, found f32
func.func @f(%x: tensor<4x3xf32>, %r: tensor<2xf32>) {
  %y = npu.dynamic_tile %x, %r axes = [0, 1] : (tensor<4x3xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return
}

// -----

/// Data and result have one layout.
// CHECK: error: 'npu.dynamic_tile' result: expected layout NHWC like input, found NCHW
func.func @f(%x: tensor<1x2x3x4xf32, #npu.layout<NHWC>>, %r: tensor<1xi64>) {
  %y = npu.dynamic_tile %x, %r axes = [0] : (tensor<1x2x3x4xf32, #npu.layout<NHWC>>, tensor<1xi64>) -> tensor<?x2x3x4xf32, #npu.layout<NCHW>>
  return
}

// -----

/// A region is of coordinates in one.
// CHECK: error: 'npu.dynamic_resize' roi: expected none without tf_crop_and_resize, found one
func.func @f(%x: tensor<4x3xf32>, %s: tensor<2xf32>, %r: tensor<4xf32>) {
  %y = npu.dynamic_resize %x, %s, %r axes = [0, 1] : (tensor<4x3xf32>, tensor<2xf32>, tensor<4xf32>) -> tensor<?x?xf32>
  return
}

// -----

/// Coordinates in a region need one.
// CHECK: error: 'npu.dynamic_resize' roi: expected one with tf_crop_and_resize, found none
func.func @f(%x: tensor<4x3xf32>, %s: tensor<2xf32>) {
  %y = npu.dynamic_resize %x, %s axes = [0, 1] coordinates = "tf_crop_and_resize" : (tensor<4x3xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return
}

// -----

/// A region has a start and an end for each axis.
// CHECK: error: 'npu.dynamic_resize' roi: expected shape 4, found 2
func.func @f(%x: tensor<4x3xf32>, %s: tensor<2xf32>, %r: tensor<2xf32>) {
  %y = npu.dynamic_resize %x, %s, %r axes = [0, 1] coordinates = "tf_crop_and_resize" : (tensor<4x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return
}

// -----

/// Numbers are scales or sizes.
// CHECK: error: 'npu.dynamic_resize' numbers: expected an integer or float element type, found i1
func.func @f(%x: tensor<4x3xf32>, %s: tensor<2xi1>) {
  %y = npu.dynamic_resize %x, %s axes = [0, 1] : (tensor<4x3xf32>, tensor<2xi1>) -> tensor<?x?xf32>
  return
}

// -----

/// LiteRT resizes to sizes.
// CHECK: error: 'npu.dynamic_resize' numbers: expected sizes with lite_asymmetric, found f32
func.func @f(%x: tensor<4x3xf32>, %s: tensor<2xf32>) {
  %y = npu.dynamic_resize %x, %s axes = [0, 1] coordinates = "lite_asymmetric" : (tensor<4x3xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return
}

// -----

/// Elements are nowhere else than in the input.
// CHECK: error: 'npu.dynamic_resize' value: expected none in mode "half_pixel", found 1.0
func.func @f(%x: tensor<4x3xf32>, %s: tensor<2xf32>) {
  %y = npu.dynamic_resize %x, %s axes = [0, 1] value = 1.0 : (tensor<4x3xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return
}

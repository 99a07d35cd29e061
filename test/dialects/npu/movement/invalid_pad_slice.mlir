// RUN: NPU_VERIFY_DIAG

/// Each axis has a number of elements added before it.
// CHECK: error: 'npu.pad' low: expected 2 numbers of at least 0, found [1]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [1] high = [1, 1] : (tensor<2x3xf32>) -> tensor<4x5xf32>
  return
}

// -----

/// And one added after it.
// CHECK: error: 'npu.pad' high: expected 2 numbers of at least 0, found [1, 1, 1]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [1, 1] high = [1, 1, 1] : (tensor<2x3xf32>) -> tensor<4x5xf32>
  return
}

// -----

/// Pads are not negative.
// CHECK: error: 'npu.pad' low: expected 2 numbers of at least 0, found [-1, 0]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [-1, 0] high = [0, 0] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

/// Nor after the axis.
// CHECK: error: 'npu.pad' high: expected 2 numbers of at least 0, found [0, -1]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [0, 0] high = [0, -1] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

/// The result has the padded sizes.
// CHECK: error: 'npu.pad' result: expected shape 4x5, found 4x4
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [1, 0] high = [1, 2] : (tensor<2x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

/// The result has the elements of the input.
// CHECK: error: 'npu.pad' result: expected element type f32, found f64
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [1, 0] high = [1, 2] : (tensor<2x3xf32>) -> tensor<4x5xf64>
  return
}

// -----

/// The result has the layout of the input.
// CHECK: error: 'npu.pad' result: expected layout NHWC like input, found NWHC
func.func @f(%x: tensor<1x4x4x4xf32, #npu.layout<NHWC>>) {
  %y = npu.pad %x low = [0, 0, 0, 0] high = [0, 0, 0, 1]
    : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x5xf32, #npu.layout<NWHC>>
  return
}

// -----

/// There are three modes.
// CHECK: error: 'npu.pad' mode: expected "constant", "edge", "reflect" or "symmetric", found "wrap"
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [1, 0] high = [1, 2] mode = "wrap" : (tensor<2x3xf32>) -> tensor<4x5xf32>
  return
}

// -----

/// Only one of them has a value of its own.
// CHECK: error: 'npu.pad' value: expected none in mode "edge", found 1.0
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [1, 0] high = [1, 2] mode = "edge" value = 1.0 : (tensor<2x3xf32>) -> tensor<4x5xf32>
  return
}

// -----

/// A value added to integers is a whole number.
// CHECK: error: 'npu.pad' value: expected a whole number from -2147483648 to 2147483647 for i32, found 0.5
func.func @f(%x: tensor<2x3xi32>) {
  %y = npu.pad %x low = [1, 0] high = [1, 2] value = 0.5 : (tensor<2x3xi32>) -> tensor<4x5xi32>
  return
}

// -----

/// The value is not too large for the type. Signless integers are signed.
// CHECK: error: 'npu.pad' value: expected a whole number from -128 to 127 for i8, found 128.0
func.func @f(%x: tensor<2x3xi8>) {
  %y = npu.pad %x low = [1, 0] high = [1, 2] value = 128.0 : (tensor<2x3xi8>) -> tensor<4x5xi8>
  return
}

// -----

/// The value is not too small for the type.
// CHECK: error: 'npu.pad' value: expected a whole number from 0 to 255 for ui8, found -1.0
func.func @f(%x: tensor<2x3xui8>) {
  %y = npu.pad %x low = [1, 0] high = [1, 2] value = -1.0 : (tensor<2x3xui8>) -> tensor<4x5xui8>
  return
}

// -----

/// Truth values are 0 and 1.
// CHECK: error: 'npu.pad' value: expected a whole number from 0 to 1 for i1, found 2.0
func.func @f(%x: tensor<2x3xi1>) {
  %y = npu.pad %x low = [1, 0] high = [1, 2] value = 2.0 : (tensor<2x3xi1>) -> tensor<4x5xi1>
  return
}

// -----

/// The mirrored elements before the axis are those after its first one.
// CHECK: error: 'npu.pad' low: expected at most 1 for the 2 elements of axis 0, found 2
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [2, 0] high = [0, 0] mode = "reflect" : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

/// Those after the axis are those before its last one.
// CHECK: error: 'npu.pad' high: expected at most 2 for the 3 elements of axis 1, found 3
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.pad %x low = [0, 0] high = [0, 3] mode = "reflect" : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

/// An axis without elements has none to mirror.
// CHECK: error: 'npu.pad' input: expected an element along axis 1, found none
func.func @f(%x: tensor<2x0xf32>) {
  %y = npu.pad %x low = [0, 1] high = [0, 0] mode = "reflect" : (tensor<2x0xf32>) -> tensor<2x1xf32>
  return
}

// -----

/// It has no first one.
// CHECK: error: 'npu.pad' input: expected an element along axis 1, found none
func.func @f(%x: tensor<2x0xf32>) {
  %y = npu.pad %x low = [0, 1] high = [0, 0] mode = "edge" : (tensor<2x0xf32>) -> tensor<2x1xf32>
  return
}

// -----

/// It has no last one.
// CHECK: error: 'npu.pad' input: expected an element along axis 1, found none
func.func @f(%x: tensor<2x0xf32>) {
  %y = npu.pad %x low = [0, 0] high = [0, 1] mode = "edge" : (tensor<2x0xf32>) -> tensor<2x1xf32>
  return
}

// -----

/// Each axis has a start.
// CHECK: error: 'npu.slice' starts: expected 2 positions, one for each axis, found [0]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.slice %x starts = [0] limits = [2, 3] : tensor<2x3xf32>
  return
}

// -----

/// Each axis has a limit.
// CHECK: error: 'npu.slice' limits: expected 2 positions, one for each axis, found [2, 3, 4]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.slice %x starts = [0, 0] limits = [2, 3, 4] : tensor<2x3xf32>
  return
}

// -----

/// Each axis has a step, if one has.
// CHECK: error: 'npu.slice' steps: expected 2 numbers of at least 1, found [1]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.slice %x starts = [0, 0] limits = [2, 3] steps = [1] : tensor<2x3xf32>
  return
}

// -----

/// Steps are not negative.
// CHECK: error: 'npu.slice' steps: expected 2 numbers of at least 1, found [1, -1]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.slice %x starts = [0, 2] limits = [2, -4] steps = [1, -1] : tensor<2x3xf32>
  return
}

// -----

/// Steps are not 0.
// CHECK: error: 'npu.slice' steps: expected 2 numbers of at least 1, found [1, 0]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.slice %x starts = [0, 0] limits = [2, 3] steps = [1, 0] : tensor<2x3xf32>
  return
}

// -----

/// The result has the elements between start and limit.
// CHECK: error: 'npu.slice' result: expected shape 2x2, found 2x3
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.slice %x starts = [0, 1] limits = [2, 3] : tensor<2x3xf32>
  return
}

// -----

/// Limits are clamped to the axis.
// CHECK: error: 'npu.slice' result: expected shape 2x3, found 2x9
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.slice %x starts = [-9, 0] limits = [9, 9] : (tensor<2x3xf32>) -> tensor<2x9xf32>
  return
}

// -----

/// With steps fewer of them.
// CHECK: error: 'npu.slice' result: expected shape 1x2, found 1x1
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.slice %x starts = [0, 0] limits = [2, 3] steps = [2, 2] : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return
}

// -----

/// The element type is kept.
// CHECK: error: 'npu.slice' result: expected element type i8, found i16
func.func @f(%x: tensor<2x3xi8>) {
  %y = npu.slice %x starts = [0, 1] limits = [2, 3] : (tensor<2x3xi8>) -> tensor<2x2xi16>
  return
}

// -----

/// The layout is kept.
// CHECK: error: 'npu.slice' result: expected layout Tensor like input, found Tensor, [1, 0]
func.func @f(%x: tensor<2x3xi8, #npu.layout<Tensor>>) {
  %y = npu.slice %x starts = [0, 1] limits = [2, 3]
    : (tensor<2x3xi8, #npu.layout<Tensor>>) -> tensor<2x2xi8, #npu.layout<Tensor, [1, 0]>>
  return
}

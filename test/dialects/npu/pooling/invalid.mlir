// RUN: NPU_VERIFY_DIAG

/// Truth values have no maximum.
// CHECK: error: 'npu.max_pool' input: expected a number as element type, found i1
func.func @f(%x: tensor<1x8x8x4xi1, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] : (tensor<1x8x8x4xi1, #npu.layout<NHWC>>) -> tensor<1x7x7x4xi1, #npu.layout<NHWC>>
  return
}

// -----

/// Truth values have no mean.
// CHECK: error: 'npu.avg_pool' input: expected a number as element type, found i1
func.func @f(%x: tensor<1x8x8x4xi1, #npu.layout<NHWC>>) {
  %y = npu.avg_pool %x window = [2, 2] : (tensor<1x8x8x4xi1, #npu.layout<NHWC>>) -> tensor<1x7x7x4xi1, #npu.layout<NHWC>>
  return
}

// -----

/// Truth values have no maximum in a whole channel.
// CHECK: error: 'npu.global_max_pool' input: expected a number as element type, found i1
func.func @f(%x: tensor<1x8x8x4xi1, #npu.layout<NHWC>>) {
  %y = npu.global_max_pool %x : (tensor<1x8x8x4xi1, #npu.layout<NHWC>>) -> tensor<1x1x1x4xi1, #npu.layout<NHWC>>
  return
}

// -----

/// The result has the type of the input.
// CHECK: error: 'npu.avg_pool' result: expected element type i8, found f32
func.func @f(%x: tensor<1x8x8x4xi8, #npu.layout<NHWC>>) {
  %y = npu.avg_pool %x window = [2, 2] : (tensor<1x8x8x4xi8, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has the type of the input with a global window, too.
// CHECK: error: 'npu.global_avg_pool' result: expected element type i8, found i32
func.func @f(%x: tensor<1x8x8x4xi8, #npu.layout<NHWC>>) {
  %y = npu.global_avg_pool %x : (tensor<1x8x8x4xi8, #npu.layout<NHWC>>) -> tensor<1x1x1x4xi32, #npu.layout<NHWC>>
  return
}

// -----

/// The layout is unknown.
// CHECK: error: 'npu.max_pool' input: expected a layout, in its type or as data_layout, found 1x8x8x4
func.func @f(%x: tensor<1x8x8x4xf32>) {
  %y = npu.max_pool %x window = [2, 2] : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  return
}

// -----

/// Only the layout of the result is known.
// CHECK: error: 'npu.global_max_pool' input: expected a layout, in its type or as data_layout, found 1x8x8x4
func.func @f(%x: tensor<1x8x8x4xf32>) {
  %y = npu.global_max_pool %x : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Type and attribute contradict each other.
// CHECK: error: 'npu.max_pool' data_layout: expected NHWC like the type of input, found NCHW
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] data_layout = <NCHW>
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The layout is of another rank.
// CHECK: error: 'npu.max_pool' data_layout: expected a layout that fits input, found layout NHWC is of rank 4, the tensor of rank 3
func.func @f(%x: tensor<8x8x4xf32>) {
  %y = npu.max_pool %x window = [2, 2] data_layout = <NHWC> : (tensor<8x8x4xf32>) -> tensor<7x7x4xf32>
  return
}

// -----

/// The input is a kernel.
// CHECK: error: 'npu.max_pool' input: expected a layout of class Feature, found HWOI
func.func @f(%x: tensor<8x8x4x4xf32, #npu.layout<HWOI>>) {
  %y = npu.max_pool %x window = [2, 2] : (tensor<8x8x4x4xf32, #npu.layout<HWOI>>) -> tensor<7x7x4x4xf32, #npu.layout<HWOI>>
  return
}

// -----

/// The attribute declares a kernel.
// CHECK: error: 'npu.global_avg_pool' data_layout: expected a layout of class Feature, found HWOI
func.func @f(%x: tensor<8x8x4x4xf32>) {
  %y = npu.global_avg_pool %x data_layout = <HWOI> : (tensor<8x8x4x4xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

/// The input has no letters.
// CHECK: error: 'npu.avg_pool' input: expected a layout of class Feature, found Tensor
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<Tensor>>) {
  %y = npu.avg_pool %x window = [2, 2] : (tensor<1x8x8x4xf32, #npu.layout<Tensor>>) -> tensor<1x7x7x4xf32, #npu.layout<Tensor>>
  return
}

// -----

/// The window has a number for each spatial axis.
// CHECK: error: 'npu.max_pool' window: expected 2 numbers of at least 1, found [2, 2, 2]
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2, 2] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The window has at least one element.
// CHECK: error: 'npu.avg_pool' window: expected 2 numbers of at least 1, found [2, 0]
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.avg_pool %x window = [2, 0] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There is a stride for each spatial axis.
// CHECK: error: 'npu.max_pool' strides: expected 1 number of at least 1, found [2, 2]
func.func @f(%x: tensor<1x8x4xf32, #npu.layout<NWC>>) {
  %y = npu.max_pool %x window = [4] strides = [2, 2]
    : (tensor<1x8x4xf32, #npu.layout<NWC>>) -> tensor<1x3x4xf32, #npu.layout<NWC>>
  return
}

// -----

/// A stride is at least 1.
// CHECK: error: 'npu.max_pool' strides: expected 2 numbers of at least 1, found [0, 1]
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] strides = [0, 1]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There is a dilation for each spatial axis.
// CHECK: error: 'npu.max_pool' dilations: expected 2 numbers of at least 1, found [1]
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] dilations = [1]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// A dilation is at least 1.
// CHECK: error: 'npu.max_pool' dilations: expected 2 numbers of at least 1, found [1, 0]
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] dilations = [1, 0]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// There are two pads for each spatial axis.
// CHECK: error: 'npu.max_pool' pads: expected 4 numbers of at least 0, found [1, 1]
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] pads = [1, 1]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x9x9x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Pads are not negative.
// CHECK: error: 'npu.avg_pool' pads: expected 4 numbers of at least 0, found [0, 0, -1, 0]
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.avg_pool %x window = [2, 2] pads = [0, 0, -1, 0]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x7x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The spatial sizes are the positions of the window.
// CHECK: error: 'npu.max_pool' result: expected shape 1x7x7x4, found 1x8x8x4
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] : tensor<1x8x8x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// They are rounded down without `ceil`.
// CHECK: error: 'npu.avg_pool' result: expected shape 1x3x3x4, found 1x4x4x4
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.avg_pool %x window = [3, 3] strides = [2, 2]
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// They are rounded up with it.
// CHECK: error: 'npu.max_pool' result: expected shape 1x4x4x4, found 1x3x3x4
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [3, 3] strides = [2, 2] ceil
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x3x3x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Pooling keeps the channels.
// CHECK: error: 'npu.max_pool' result: expected shape 1x7x7x4, found 1x7x7x8
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// It keeps the batch.
// CHECK: error: 'npu.global_avg_pool' result: expected shape 2x1x1x4, found 1x1x1x4
func.func @f(%x: tensor<2x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.global_avg_pool %x : (tensor<2x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result of a global window has one element per channel.
// CHECK: error: 'npu.global_max_pool' result: expected shape 1x1x1x4, found 1x1x8x4
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.global_max_pool %x : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x1x8x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The spatial axes are kept.
// CHECK: error: 'npu.global_avg_pool' result: expected shape 1x1x1x4, found 1x4
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.global_avg_pool %x : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x4xf32>
  return
}

// -----

/// Static sizes are checked beside dynamic ones.
// CHECK: error: 'npu.max_pool' result: expected shape ?x7x7x4, found ?x7x8x4
func.func @f(%x: tensor<?x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] : (tensor<?x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<?x7x8x4xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has the order of the input, also if the shapes do not show it.
// CHECK: error: 'npu.max_pool' result: expected layout NHWC like the feature map, found NCHW
func.func @f(%x: tensor<1x8x8x7xf32, #npu.layout<NHWC>>) {
  %y = npu.max_pool %x window = [2, 2] : (tensor<1x8x8x7xf32, #npu.layout<NHWC>>) -> tensor<1x7x7x7xf32, #npu.layout<NCHW>>
  return
}

// -----

/// The result has the class of the input.
// CHECK: error: 'npu.global_max_pool' result: expected layout NHWC like the feature map, found Tensor
func.func @f(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>) {
  %y = npu.global_max_pool %x : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x4xf32, #npu.layout<Tensor>>
  return
}

// -----

/// In an uncoloured program the attribute is the layout of the result, too.
// CHECK: error: 'npu.avg_pool' result: expected layout NHWC like the feature map, found NCHW
func.func @f(%x: tensor<1x8x8x7xf32>) {
  %y = npu.avg_pool %x window = [2, 2] data_layout = <NHWC> : (tensor<1x8x8x7xf32>) -> tensor<1x7x7x7xf32, #npu.layout<NCHW>>
  return
}

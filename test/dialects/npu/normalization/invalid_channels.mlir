// RUN: NPU_VERIFY_DIAG

/// batch_norm: only floats.
// CHECK: error: 'npu.batch_norm' input: expected a float element type, found i8{{$}}
func.func @f(%x: tensor<1x8x8x16xi8>, %s: tensor<16xi8>, %b: tensor<16xi8>, %m: tensor<16xi8>, %v: tensor<16xi8>) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 3
    : (tensor<1x8x8x16xi8>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>) -> tensor<1x8x8x16xi8>
  return
}

// -----

/// An axis of the input.
// CHECK: error: 'npu.batch_norm' axis: expected an axis from 0 to 3, found 4{{$}}
func.func @f(
  %x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>,
  %v: tensor<16xf32>
) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 4
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// No negative epsilon.
// CHECK: error: 'npu.batch_norm' epsilon: expected a number that is not negative, found -1e-05{{$}}
func.func @f(
  %x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>,
  %v: tensor<16xf32>
) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 3 epsilon = -1.0e-5
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// Vectors have the element type of the input,
// CHECK: error: 'npu.batch_norm' mean: expected element type f16, found f32{{$}}
func.func @f(%x: tensor<1x8x8x16xf16>, %s: tensor<16xf16>, %b: tensor<16xf16>, %m: tensor<16xf32>, %v: tensor<16xf16>) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 3
    : (tensor<1x8x8x16xf16>, tensor<16xf16>, tensor<16xf16>, tensor<16xf32>, tensor<16xf16>) -> tensor<1x8x8x16xf16>
  return
}

// -----

/// one number per channel,
// CHECK: error: 'npu.batch_norm' scale: expected shape 8, found 16{{$}}
func.func @f(
  %x: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>,
  %v: tensor<16xf32>
) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 1
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// in one axis: the scale,
// CHECK: error: 'npu.batch_norm' scale: expected shape 16, found 1x1x1x16{{$}}
func.func @f(
  %x: tensor<1x8x8x16xf32>, %s: tensor<1x1x1x16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>, %v: tensor<16xf32>
) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 3
    : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32>
  return
}

// -----

/// the bias,
// CHECK: error: 'npu.batch_norm' bias: expected shape 16, found scalar{{$}}
func.func @f(%x: tensor<1x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<f32>, %m: tensor<16xf32>, %v: tensor<16xf32>) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 3
    : (tensor<1x8x8x16xf32>, tensor<16xf32>, tensor<f32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32>
  return
}

// -----

/// the mean,
// CHECK: error: 'npu.batch_norm' mean: expected shape 16, found 8{{$}}
func.func @f(%x: tensor<1x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<8xf32>, %v: tensor<16xf32>) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 3
    : (tensor<1x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<16xf32>) -> tensor<1x8x8x16xf32>
  return
}

// -----

/// and the variance.
// CHECK: error: 'npu.batch_norm' variance: expected shape 16, found 4x4{{$}}
func.func @f(
  %x: tensor<1x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>, %v: tensor<4x4xf32>
) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 3
    : (tensor<1x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<4x4xf32>) -> tensor<1x8x8x16xf32>
  return
}

// -----

/// The result has the layout of the input.
// CHECK: error: 'npu.batch_norm' result: expected layout NCHW like input, found NHWC{{$}}
func.func @f(
  %x: tensor<1x16x16x16xf32, #npu.layout<NCHW>>, %s: tensor<16xf32>, %b: tensor<16xf32>, %m: tensor<16xf32>,
  %v: tensor<16xf32>
) {
  %y = npu.batch_norm %x, %s, %b, %m, %v axis = 1
    : (tensor<1x16x16x16xf32, #npu.layout<NCHW>>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x16x16x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// instance_norm: vectors of one number per channel.
// CHECK: error: 'npu.instance_norm' bias: expected shape 16, found 8{{$}}
func.func @f(%x: tensor<2x8x8x16xf32, #npu.layout<NHWC>>, %s: tensor<16xf32>, %b: tensor<8xf32>) {
  %y = npu.instance_norm %x, %s, %b axis = 3 axes = [1, 2]
    : (tensor<2x8x8x16xf32, #npu.layout<NHWC>>, tensor<16xf32>, tensor<8xf32>) -> tensor<2x8x8x16xf32, #npu.layout<NHWC>>
  return
}

// -----

/// An axis of the input.
// CHECK: error: 'npu.instance_norm' axis: expected an axis from 0 to 3, found -1{{$}}
func.func @f(%x: tensor<2x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) {
  %y = npu.instance_norm %x, %s, %b axis = -1 axes = [1, 2]
    : (tensor<2x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32>
  return
}

// -----

/// The statistics are over different axes of the input,
// CHECK: error: 'npu.instance_norm' axes: expected different axes from 0 to 3, found [1, 4]{{$}}
func.func @f(%x: tensor<2x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) {
  %y = npu.instance_norm %x, %s, %b axis = 3 axes = [1, 4]
    : (tensor<2x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32>
  return
}

// -----

/// not over the channels,
// CHECK: error: 'npu.instance_norm' axes: expected axes other than axis 3, found [1, 2, 3]{{$}}
func.func @f(%x: tensor<2x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) {
  %y = npu.instance_norm %x, %s, %b axis = 3 axes = [1, 2, 3]
    : (tensor<2x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32>
  return
}

// -----

/// over at least one.
// CHECK: error: 'npu.instance_norm' axes: expected at least one axis, found []{{$}}
func.func @f(%x: tensor<2x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) {
  %y = npu.instance_norm %x, %s, %b axis = 3 axes = []
    : (tensor<2x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32>
  return
}

// -----

/// group_norm: the channel axis is not in `axes`.
// CHECK: error: 'npu.group_norm' axes: expected axes other than axis 3, found [3]{{$}}
func.func @f(%x: tensor<2x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) {
  %y = npu.group_norm %x, %s, %b groups = 4 axis = 3 axes = [3]
    : (tensor<2x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32>
  return
}

// -----

/// Groups are of one size.
// CHECK: error: 'npu.group_norm' groups: expected a divisor of 16 channels, found 3{{$}}
func.func @f(%x: tensor<2x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) {
  %y = npu.group_norm %x, %s, %b groups = 3 axis = 3 axes = [1, 2]
    : (tensor<2x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32>
  return
}

// -----

/// There is a group.
// CHECK: error: 'npu.group_norm' groups: expected a divisor of ? channels, found 0{{$}}
func.func @f(%x: tensor<2x?x8xf32>, %s: tensor<?xf32>, %b: tensor<?xf32>) {
  %y = npu.group_norm %x, %s, %b groups = 0 axis = 1 axes = [2]
    : (tensor<2x?x8xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<2x?x8xf32>
  return
}

// -----

/// The axes are different.
// CHECK: error: 'npu.group_norm' axes: expected different axes from 0 to 3, found [1, 1]{{$}}
func.func @f(%x: tensor<2x8x8x16xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) {
  %y = npu.group_norm %x, %s, %b groups = 4 axis = 3 axes = [1, 1]
    : (tensor<2x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x8x16xf32>
  return
}

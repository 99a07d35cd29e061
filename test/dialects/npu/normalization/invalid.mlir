// RUN: NPU_VERIFY_DIAG

/// softmax: only floats.
// CHECK: error: 'npu.softmax' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<8x10xi32>) {
  %y = npu.softmax %x axis = 1 : tensor<8x10xi32>
  return
}

// -----

/// log_softmax: an axis of the input.
// CHECK: error: 'npu.log_softmax' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.log_softmax %x axis = 2 : tensor<8x10xf32>
  return
}

// -----

/// hardmax: only floats.
// CHECK: error: 'npu.hardmax' input: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<8x10xi32>) {
  %y = npu.hardmax %x axis = 1 : tensor<8x10xi32>
  return
}

// -----

/// hardmax: an axis of the input.
// CHECK: error: 'npu.hardmax' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.hardmax %x axis = 2 : tensor<8x10xf32>
  return
}

// -----

/// Axes are not negative.
// CHECK: error: 'npu.softmax' axis: expected an axis from 0 to 1, found -1{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.softmax %x axis = -1 : tensor<8x10xf32>
  return
}

// -----

/// The result has the element type,
// CHECK: error: 'npu.softmax' result: expected element type f32, found f16{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.softmax %x axis = 1 : (tensor<8x10xf32>) -> tensor<8x10xf16>
  return
}

// -----

/// the shape,
// CHECK: error: 'npu.softmax' result: expected shape 8x10, found 8x1{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.softmax %x axis = 1 : (tensor<8x10xf32>) -> tensor<8x1xf32>
  return
}

// -----

/// and the layout of the input.
// CHECK: error: 'npu.softmax' result: expected layout Tensor like input, found Tensor, [1, 0]{{$}}
func.func @f(%x: tensor<8x10xf32, #npu.layout<Tensor>>) {
  %y = npu.softmax %x axis = 1
    : (tensor<8x10xf32, #npu.layout<Tensor>>) -> tensor<8x10xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// lp_norm: an axis of the input.
// CHECK: error: 'npu.lp_norm' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.lp_norm %x axis = 2 : tensor<8x10xf32>
  return
}

// -----

/// There are two norms.
// CHECK: error: 'npu.lp_norm' p: expected 1 or 2, found 3{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.lp_norm %x axis = 1 p = 3 : tensor<8x10xf32>
  return
}

// -----

/// tensor_norm: at least one axis.
// CHECK: error: 'npu.tensor_norm' axes: expected at least one axis, found []{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.tensor_norm %x axes = [] : tensor<8x10xf32>
  return
}

// -----

/// Axes of the input.
// CHECK: error: 'npu.tensor_norm' axes: expected different axes from 0 to 1, found [1, 2]{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.tensor_norm %x axes = [1, 2] : tensor<8x10xf32>
  return
}

// -----

/// An axis counts once.
// CHECK: error: 'npu.tensor_norm' axes: expected different axes from 0 to 1, found [1, 1]{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.tensor_norm %x axes = [1, 1] : tensor<8x10xf32>
  return
}

// -----

/// The square root is that of no negative number.
// CHECK: error: 'npu.tensor_norm' epsilon: expected a number that is not negative, found -1.0{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.tensor_norm %x axes = [1] epsilon = -1.0 : tensor<8x10xf32>
  return
}

// -----

/// layer_norm: at least one axis.
// CHECK: error: 'npu.layer_norm' axes: expected at least one axis, found []{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.layer_norm %x axes = [] : tensor<8x10xf32>
  return
}

// -----

/// layer_norm: no negative epsilon.
// CHECK: error: 'npu.layer_norm' epsilon: expected a number that is not negative, found -1.0{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.layer_norm %x axes = [1] epsilon = -1.0 : tensor<8x10xf32>
  return
}

// -----

/// The scale has the element type of the input,
// CHECK: error: 'npu.layer_norm' scale: expected element type f32, found f16{{$}}
func.func @f(%x: tensor<8x10xf32>, %s: tensor<1x10xf16>) {
  %y = npu.layer_norm %x scale(%s : tensor<1x10xf16>) axes = [1] : tensor<8x10xf32>
  return
}

// -----

/// its rank,
// CHECK: error: 'npu.layer_norm' scale: expected a shape that repeats to 8x10, or one element, found 10{{$}}
func.func @f(%x: tensor<8x10xf32>, %s: tensor<10xf32>) {
  %y = npu.layer_norm %x scale(%s : tensor<10xf32>) axes = [1] : tensor<8x10xf32>
  return
}

// -----

/// its sizes or one,
// CHECK: error: 'npu.layer_norm' scale: expected a shape that repeats to 8x10, or one element, found 2x10{{$}}
func.func @f(%x: tensor<8x10xf32>, %s: tensor<2x10xf32>) {
  %y = npu.layer_norm %x scale(%s : tensor<2x10xf32>) axes = [1] : tensor<8x10xf32>
  return
}

// -----

/// and its layout.
// CHECK: error: 'npu.layer_norm' scale: expected layout Tensor, [1, 0] like input, found Tensor{{$}}
func.func @f(%x: tensor<10x8xf32, #npu.layout<Tensor, [1, 0]>>, %s: tensor<10x1xf32, #npu.layout<Tensor>>) {
  %y = npu.layer_norm %x scale(%s : tensor<10x1xf32, #npu.layout<Tensor>>) axes = [0]
    : tensor<10x8xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// So has the bias: the type,
// CHECK: error: 'npu.layer_norm' bias: expected element type f32, found i32{{$}}
func.func @f(%x: tensor<8x10xf32>, %b: tensor<1x10xi32>) {
  %y = npu.layer_norm %x bias(%b : tensor<1x10xi32>) axes = [1] : tensor<8x10xf32>
  return
}

// -----

/// and the sizes.
// CHECK: error: 'npu.layer_norm' bias: expected a shape that repeats to 8x10, or one element, found 8x5{{$}}
func.func @f(%x: tensor<8x10xf32>, %b: tensor<8x5xf32>) {
  %y = npu.layer_norm %x bias(%b : tensor<8x5xf32>) axes = [1] : tensor<8x10xf32>
  return
}

// -----

/// lrn: the neighbours are at least the position itself.
// CHECK: error: 'npu.lrn' size: expected a positive number, found 0{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.lrn %x axis = 1 size = 0 : tensor<8x10xf32>
  return
}

// -----

/// The axis is one of the input.
// CHECK: error: 'npu.lrn' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.lrn %x axis = 2 size = 3 : tensor<8x10xf32>
  return
}

// -----

/// rms_norm: the axes are different.
// CHECK: error: 'npu.rms_norm' axes: expected different axes from 0 to 1, found [0, 0]{{$}}
func.func @f(%x: tensor<8x10xf32>) {
  %y = npu.rms_norm %x axes = [0, 0] : tensor<8x10xf32>
  return
}

// -----

/// The scale has the sizes of the input or one.
// CHECK: error: 'npu.rms_norm' scale: expected a shape that repeats to 8x10, or one element, found 1x1x10{{$}}
func.func @f(%x: tensor<8x10xf32>, %s: tensor<1x1x10xf32>) {
  %y = npu.rms_norm %x, %s axes = [1] : (tensor<8x10xf32>, tensor<1x1x10xf32>) -> tensor<8x10xf32>
  return
}

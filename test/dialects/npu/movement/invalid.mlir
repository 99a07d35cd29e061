// RUN: NPU_VERIFY_DIAG

/// There is no such axis.
// CHECK: error: 'npu.concat' axis: expected an axis from 0 to 1, found 2
func.func @f(%a: tensor<2x3xf32>) {
  %y = npu.concat %a, %a axis = 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

/// Axes are not negative.
// CHECK: error: 'npu.concat' axis: expected an axis from 0 to 1, found -1
func.func @f(%a: tensor<2x3xf32>) {
  %y = npu.concat %a, %a axis = -1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

/// There are no inputs.
// CHECK: error: 'npu.concat' inputs: expected at least one, found none
func.func @f() {
  %y = "npu.concat"() <{axis = 0 : i64}> : () -> tensor<2x3xf32>
  return
}

// -----

/// All inputs have the elements of the result.
// CHECK: error: 'npu.concat' inputs[1]: expected element type f32, found f16
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xf16>) {
  %y = npu.concat %a, %b axis = 0 : (tensor<2x3xf32>, tensor<2x3xf16>) -> tensor<4x3xf32>
  return
}

// -----

/// All inputs have the rank of the result.
// CHECK: error: 'npu.concat' inputs[1]: expected shape ?x3, found 3
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  %y = npu.concat %a, %b axis = 0 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

/// Also if they have one element.
// CHECK: error: 'npu.concat' inputs[1]: expected shape ?x1, found scalar
func.func @f(%a: tensor<2x1xf32>, %e: tensor<f32>) {
  %y = npu.concat %a, %e axis = 0 : (tensor<2x1xf32>, tensor<f32>) -> tensor<3x1xf32>
  return
}

// -----

/// The inputs have the size of the result along the other axes.
// CHECK: error: 'npu.concat' inputs[1]: expected shape ?x3, found 2x4
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %y = npu.concat %a, %b axis = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

/// They have equal sizes if that of the result is dynamic.
// CHECK: error: 'npu.concat' inputs[1]: expected shape ?x3, found 2x4
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %y = npu.concat %a, %b axis = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x?xf32>
  return
}

// -----

/// The sizes along the axis add up.
// CHECK: error: 'npu.concat' result: expected shape 2x7, found 2x8
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %y = npu.concat %a, %b axis = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

/// All inputs have one layout.
// CHECK: error: 'npu.concat' inputs[1]: expected layout NHWC like inputs[0], found NWHC
func.func @f(%a: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %b: tensor<1x8x8x4xf32, #npu.layout<NWHC>>) {
  %y = npu.concat %a, %b axis = 3
    : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x8x8x4xf32, #npu.layout<NWHC>>) -> tensor<1x8x8x8xf32, #npu.layout<NHWC>>
  return
}

// -----

/// The result has the layout of the inputs.
// CHECK: error: 'npu.concat' result: expected layout Tensor like inputs[0], found Tensor, [1, 0]
func.func @f(%a: tensor<4x4xf32, #npu.layout<Tensor>>) {
  %y = npu.concat %a, %a axis = 1
    : (tensor<4x4xf32, #npu.layout<Tensor>>, tensor<4x4xf32, #npu.layout<Tensor>>) -> tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// Also if they have one element each, because the axis is a physical position.
// CHECK: error: 'npu.concat' result: expected layout NWC like inputs[0], found NTensor
func.func @f(%a: tensor<1x1x4xf32, #npu.layout<NWC>>, %e: tensor<1x1x1xf32, #npu.layout<NWC>>) {
  %y = npu.concat %a, %e axis = 2
    : (tensor<1x1x4xf32, #npu.layout<NWC>>, tensor<1x1x1xf32, #npu.layout<NWC>>) -> tensor<1x1x5xf32, #npu.layout<NTensor>>
  return
}

// -----

/// There is no such axis to split.
// CHECK: error: 'npu.split' axis: expected an axis from 0 to 1, found 2
func.func @f(%x: tensor<2x3xf32>) {
  %a, %b = npu.split %x axis = 2 sizes = [1, 2] : (tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x2xf32>)
  return
}

// -----

/// There are no results.
// CHECK: error: 'npu.split' outputs: expected at least one, found none
func.func @f(%x: tensor<0x3xf32>) {
  "npu.split"(%x) <{axis = 0 : i64, sizes = array<i64>}> : (tensor<0x3xf32>) -> ()
  return
}

// -----

/// The parts have the elements of the input.
// CHECK: error: 'npu.split' outputs[1]: expected element type f32, found i32
func.func @f(%x: tensor<2x3xf32>) {
  %a, %b = npu.split %x axis = 1 sizes = [1, 2] : (tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x2xi32>)
  return
}

// -----

/// They have the rank of the input.
// CHECK: error: 'npu.split' outputs[1]: expected shape ?x3, found 3
func.func @f(%x: tensor<2x3xf32>) {
  %a, %b = npu.split %x axis = 0 sizes = [1, 1] : (tensor<2x3xf32>) -> (tensor<1x3xf32>, tensor<3xf32>)
  return
}

// -----

/// They have its size along the other axes.
// CHECK: error: 'npu.split' outputs[1]: expected shape 2x?, found 1x2
func.func @f(%x: tensor<2x3xf32>) {
  %a, %b = npu.split %x axis = 1 sizes = [1, 2] : (tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<1x2xf32>)
  return
}

// -----

/// Equal sizes if that of the input is dynamic.
// CHECK: error: 'npu.split' outputs[1]: expected shape 2x?, found 3x2
func.func @f(%x: tensor<?x3xf32>) {
  %a, %b = npu.split %x axis = 1 sizes = [1, 2] : (tensor<?x3xf32>) -> (tensor<2x1xf32>, tensor<3x2xf32>)
  return
}

// -----

/// Every part has a size.
// CHECK: error: 'npu.split' sizes: expected 2 numbers of at least 0, found [3]
func.func @f(%x: tensor<2x3xf32>) {
  %a, %b = npu.split %x axis = 1 sizes = [3] : (tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x2xf32>)
  return
}

// -----

/// It is not negative.
// CHECK: error: 'npu.split' sizes: expected 2 numbers of at least 0, found [4, -1]
func.func @f(%x: tensor<2x3xf32>) {
  %a, %b = npu.split %x axis = 1 sizes = [4, -1] : (tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<2x?xf32>)
  return
}

// -----

/// The sizes of the parts add up.
// CHECK: error: 'npu.split' sizes: expected a sum of 3 like axis 1 of input, found [1, 1]
func.func @f(%x: tensor<2x3xf32>) {
  %a, %b = npu.split %x axis = 1 sizes = [1, 1] : (tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

/// Each part has its size.
// CHECK: error: 'npu.split' outputs[0]: expected shape 2x1, found 2x2
func.func @f(%x: tensor<2x3xf32>) {
  %a, %b = npu.split %x axis = 1 sizes = [1, 2] : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x1xf32>)
  return
}

// -----

/// The parts have the layout of the input.
// CHECK: error: 'npu.split' outputs[1]: expected layout NHWC like input, found NWHC
func.func @f(%x: tensor<1x8x8x3xf32, #npu.layout<NHWC>>) {
  %a, %b = npu.split %x axis = 3 sizes = [1, 2]
    : (tensor<1x8x8x3xf32, #npu.layout<NHWC>>) -> (tensor<1x8x8x1xf32, #npu.layout<NHWC>>, tensor<1x8x8x2xf32, #npu.layout<NWHC>>)
  return
}

// -----

/// There is no such axis to reverse.
// CHECK: error: 'npu.reverse' axes: expected different axes from 0 to 1, found [2]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reverse %x axes = [2] : tensor<2x3xf32>
  return
}

// -----

/// An axis is reversed only once.
// CHECK: error: 'npu.reverse' axes: expected different axes from 0 to 1, found [1, 1]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reverse %x axes = [1, 1] : tensor<2x3xf32>
  return
}

// -----

/// Some axis is reversed.
// CHECK: error: 'npu.reverse' axes: expected at least one axis, found []
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reverse %x axes = [] : tensor<2x3xf32>
  return
}

// -----

/// The element type is kept.
// CHECK: error: 'npu.reverse' result: expected element type f32, found f16
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reverse %x axes = [1] : (tensor<2x3xf32>) -> tensor<2x3xf16>
  return
}

// -----

/// The shape is kept.
// CHECK: error: 'npu.reverse' result: expected shape 2x3, found 3x2
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reverse %x axes = [1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

/// The layout is kept.
// CHECK: error: 'npu.reverse' result: expected layout HWOI like input, found HOWI
func.func @f(%x: tensor<8x4x4x3xf32, #npu.layout<HWOI>>) {
  %y = npu.reverse %x axes = [1] : (tensor<8x4x4x3xf32, #npu.layout<HWOI>>) -> tensor<8x4x4x3xf32, #npu.layout<HOWI>>
  return
}

// -----

/// Each axis has a number of repeats.
// CHECK: error: 'npu.tile' repeats: expected 2 numbers of at least 1, found [2]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.tile %x repeats = [2] : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

/// At least once.
// CHECK: error: 'npu.tile' repeats: expected 2 numbers of at least 1, found [1, 0]
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.tile %x repeats = [1, 0] : (tensor<2x3xf32>) -> tensor<2x0xf32>
  return
}

// -----

/// The result has the repeated sizes.
// CHECK: error: 'npu.tile' result: expected shape 4x9, found 4x6
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.tile %x repeats = [2, 3] : (tensor<2x3xf32>) -> tensor<4x6xf32>
  return
}

// -----

/// The element type is kept.
// CHECK: error: 'npu.tile' result: expected element type i8, found ui8
func.func @f(%x: tensor<2x3xi8>) {
  %y = npu.tile %x repeats = [2, 3] : (tensor<2x3xi8>) -> tensor<4x9xui8>
  return
}

// -----

/// The layout is kept.
// CHECK: error: 'npu.tile' result: expected layout Tensor, [1, 0] like input, found Tensor
func.func @f(%x: tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) {
  %y = npu.tile %x repeats = [2, 2] : (tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<4x6xf32, #npu.layout<Tensor>>
  return
}

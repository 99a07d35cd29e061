// RUN: NPU_VERIFY_DIAG

/// quant_avg_pool: the input is of integers.
// CHECK: error: 'npu.quant_avg_pool' input: expected an integer element type, found f32{{$}}
func.func @f(%x: tensor<1x4x6x6xf32>, %s: tensor<f32>, %z: tensor<f32>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_avg_pool %x, %s, %z, %ys, %yz window = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<1x4x5x5xi8>
  return
}

// -----

/// quant_avg_pool: there is one scale.
// CHECK: error: 'npu.quant_avg_pool' input_scale: expected one element, found 4{{$}}
func.func @f(%x: tensor<1x4x6x6xi8>, %s: tensor<4xf32>, %z: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_avg_pool %x, %s, %z, %ys, %yz window = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x6x6xi8>, tensor<4xf32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x5x5xi8>
  return
}

// -----

/// quant_avg_pool: the scales are of one type.
// CHECK: error: 'npu.quant_avg_pool' result_scale: expected element type f32, found f64{{$}}
func.func @f(%x: tensor<1x4x6x6xi8>, %s: tensor<f32>, %z: tensor<i8>, %ys: tensor<f64>, %yz: tensor<i8>) {
  %y = npu.quant_avg_pool %x, %s, %z, %ys, %yz window = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f64>, tensor<i8>) -> tensor<1x4x5x5xi8>
  return
}

// -----

/// quant_avg_pool: a zero point is one of the integers.
// CHECK: error: 'npu.quant_avg_pool' result_zero_point: expected element type i8, found i16{{$}}
func.func @f(%x: tensor<1x4x6x6xi8>, %s: tensor<f32>, %z: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i16>) {
  %y = npu.quant_avg_pool %x, %s, %z, %ys, %yz window = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i16>) -> tensor<1x4x5x5xi8>
  return
}

// -----

/// quant_avg_pool: the window fits the result.
// CHECK: error: 'npu.quant_avg_pool' result: expected shape 1x4x5x5, found 1x4x6x6{{$}}
func.func @f(%x: tensor<1x4x6x6xi8>, %s: tensor<f32>, %z: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_avg_pool %x, %s, %z, %ys, %yz window = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
  return
}

// -----

/// quant_avg_pool: a window has a size along each spatial axis.
// CHECK: error: 'npu.quant_avg_pool' window: expected 2 numbers of at least 1, found [2]{{$}}
func.func @f(%x: tensor<1x4x6x6xi8>, %s: tensor<f32>, %z: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_avg_pool %x, %s, %z, %ys, %yz window = [2] data_layout = <NCHW>
    : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x5x5xi8>
  return
}

// -----

/// quant_global_avg_pool: the layout is needed.
// CHECK: error: 'npu.quant_global_avg_pool' input: expected a layout, in its type or as data_layout, found 1x4x6x6{{$}}
func.func @f(%x: tensor<1x4x6x6xi8>, %s: tensor<f32>, %z: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_global_avg_pool %x, %s, %z, %ys, %yz 
    : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x1x1xi8>
  return
}

// -----

/// quant_global_avg_pool: the spatial axes become units.
// CHECK: error: 'npu.quant_global_avg_pool' result: expected shape 1x4x1x1, found 1x4x6x6{{$}}
func.func @f(%x: tensor<1x4x6x6xi8>, %s: tensor<f32>, %z: tensor<i8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_global_avg_pool %x, %s, %z, %ys, %yz data_layout = <NCHW>
    : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x4x6x6xi8>
  return
}

// -----

/// quant_global_avg_pool: a zero point is one of the integers.
// CHECK: error: 'npu.quant_global_avg_pool' input_zero_point: expected element type i8, found ui8{{$}}
func.func @f(%x: tensor<1x4x6x6xi8>, %s: tensor<f32>, %z: tensor<ui8>, %ys: tensor<f32>, %yz: tensor<i8>) {
  %y = npu.quant_global_avg_pool %x, %s, %z, %ys, %yz data_layout = <NCHW>
    : (tensor<1x4x6x6xi8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>) -> tensor<1x4x1x1xi8>
  return
}

// RUN: NPU_VERIFY_DIAG

/// block_quantize: floats are quantised,
// CHECK: error: 'npu.block_quantize' input: expected a float element type, found i8{{$}}
func.func @f(%x: tensor<4x64xi8>, %s: tensor<4x2xf32>) {
  %y = npu.block_quantize %x, %s axis = 1 block_size = 32 : (tensor<4x64xi8>, tensor<4x2xf32>) -> tensor<4x64xi4>
  return
}

// -----

/// to integers or floats of few bits.
// CHECK: error: 'npu.block_quantize' result: expected integers or floats of 8 bits or fewer, found f16{{$}}
func.func @f(%x: tensor<4x64xf32>, %s: tensor<4x2xf32>) {
  %y = npu.block_quantize %x, %s axis = 1 block_size = 32 : (tensor<4x64xf32>, tensor<4x2xf32>) -> tensor<4x64xf16>
  return
}

// -----

/// block_quantize: a scale is a float.
// CHECK: error: 'npu.block_quantize' scale: expected a float element type, found i32{{$}}
func.func @f(%x: tensor<4x64xf32>, %s: tensor<4x2xi32>) {
  %y = npu.block_quantize %x, %s axis = 1 block_size = 32 : (tensor<4x64xf32>, tensor<4x2xi32>) -> tensor<4x64xi4>
  return
}

// -----

/// block_quantize: there is a scale for each block.
// CHECK: error: 'npu.block_quantize' scale: expected shape 4x3, found 4x2{{$}}
func.func @f(%x: tensor<4x65xf32>, %s: tensor<4x2xf32>) {
  %y = npu.block_quantize %x, %s axis = 1 block_size = 32 : (tensor<4x65xf32>, tensor<4x2xf32>) -> tensor<4x65xi4>
  return
}

// -----

/// block_quantize: the result has the shape of the input.
// CHECK: error: 'npu.block_quantize' result: expected shape 4x64, found 64x4{{$}}
func.func @f(%x: tensor<4x64xf32>, %s: tensor<4x2xf32>) {
  %y = npu.block_quantize %x, %s axis = 1 block_size = 32 : (tensor<4x64xf32>, tensor<4x2xf32>) -> tensor<64x4xi4>
  return
}

// -----

/// block_dequantize: a zero point has the type of the numbers,
// CHECK: error: 'npu.block_dequantize' zero_point: expected element type i4, found i8{{$}}
func.func @f(%x: tensor<4x64xi4>, %s: tensor<4x2xf32>, %z: tensor<4x2xi8>) {
  %y = npu.block_dequantize %x, %s, %z axis = 1 block_size = 32 : (tensor<4x64xi4>, tensor<4x2xf32>, tensor<4x2xi8>) -> tensor<4x64xf32>
  return
}

// -----

/// and the shape of the scales.
// CHECK: error: 'npu.block_dequantize' zero_point: expected shape 4x2, found 4x1{{$}}
func.func @f(%x: tensor<4x64xi4>, %s: tensor<4x2xf32>, %z: tensor<4x1xi4>) {
  %y = npu.block_dequantize %x, %s, %z axis = 1 block_size = 32 : (tensor<4x64xi4>, tensor<4x2xf32>, tensor<4x1xi4>) -> tensor<4x64xf32>
  return
}

// -----

/// block_dequantize: the axis is one of the data.
// CHECK: error: 'npu.block_dequantize' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<4x64xi4>, %s: tensor<4x2xf32>) {
  %y = npu.block_dequantize %x, %s axis = 2 block_size = 32 : (tensor<4x64xi4>, tensor<4x2xf32>) -> tensor<4x64xf32>
  return
}

// -----

/// block_dequantize: blocks are not empty.
// CHECK: error: 'npu.block_dequantize' block_size: expected 1 number of at least 1, found [0]{{$}}
func.func @f(%x: tensor<4x64xi4>, %s: tensor<4x2xf32>) {
  %y = npu.block_dequantize %x, %s axis = 1 block_size = 0 : (tensor<4x64xi4>, tensor<4x2xf32>) -> tensor<4x64xf32>
  return
}

// -----

/// block_dequantize: scales are stored in the order of the data.
// CHECK: error: 'npu.block_dequantize' scale: expected layout Tensor, [1, 0] like input, found Tensor{{$}}
func.func @f(%x: tensor<64x4xi4, #npu.layout<Tensor, [1, 0]>>, %s: tensor<2x4xf32, #npu.layout<Tensor, [0, 1]>>) {
  %y = npu.block_dequantize %x, %s axis = 0 block_size = 32 : (tensor<64x4xi4, #npu.layout<Tensor, [1, 0]>>, tensor<2x4xf32, #npu.layout<Tensor, [0, 1]>>) -> tensor<64x4xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// matmul_nbits: the data are floats.
// CHECK: error: 'npu.matmul_nbits' input: expected a float element type, found i8{{$}}
func.func @f(%x: tensor<7x64xi8>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 32 : (tensor<7x64xi8>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: the axis is one of the data.
// CHECK: error: 'npu.matmul_nbits' axis: expected an axis from 0 to 1, found 2{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 2 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: numbers fill bytes.
// CHECK: error: 'npu.matmul_nbits' bits: expected 2, 4 or 8, found 3{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 3 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: blocks have at least 16 numbers.
// CHECK: error: 'npu.matmul_nbits' block_size: expected a power of two of at least 16, found 8{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 8 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: the weights are bytes,
// CHECK: error: 'npu.matmul_nbits' weights: expected element type ui8, found i8{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xi8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xi8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: with three axes,
// CHECK: error: 'npu.matmul_nbits' weights: expected rank 3, found 48x32{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x32xui8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x32xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: and those that the blocks fill.
// CHECK: error: 'npu.matmul_nbits' weights: expected shape 48x2x16, found 48x4x8{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x4x8xui8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x4x8xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: scales have the type of the data,
// CHECK: error: 'npu.matmul_nbits' scale: expected element type f32, found f16{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf16>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf16>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: and one number for each block.
// CHECK: error: 'npu.matmul_nbits' scale: expected shape 96, found 48{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: zero points are packed like the weights,
// CHECK: error: 'npu.matmul_nbits' zero_point: expected shape 48x1, found 48x2{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>, %z: tensor<48x2xui8>) {
  %y = npu.matmul_nbits %x, %w, %s zero_point(%z : tensor<48x2xui8>) axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: or of the type of the data,
// CHECK: error: 'npu.matmul_nbits' zero_point: expected element type f32, found f16{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>, %z: tensor<48x2xf16>) {
  %y = npu.matmul_nbits %x, %w, %s zero_point(%z : tensor<48x2xf16>) axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: with one number for each block.
// CHECK: error: 'npu.matmul_nbits' zero_point: expected shape 48x2, found 48x1{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>, %z: tensor<48x1xf32>) {
  %y = npu.matmul_nbits %x, %w, %s zero_point(%z : tensor<48x1xf32>) axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: groups are whole numbers,
// CHECK: error: 'npu.matmul_nbits' groups: expected element type i32, found i64{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>, %g: tensor<64xi64>) {
  %y = npu.matmul_nbits %x, %w, %s groups(%g : tensor<64xi64>) axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: one for each row.
// CHECK: error: 'npu.matmul_nbits' groups: expected shape 64, found 2{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>, %g: tensor<2xi32>) {
  %y = npu.matmul_nbits %x, %w, %s groups(%g : tensor<2xi32>) axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: a bias has the type of the data,
// CHECK: error: 'npu.matmul_nbits' bias: expected element type f32, found f16{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>, %b: tensor<48xf16>) {
  %y = npu.matmul_nbits %x, %w, %s bias(%b : tensor<48xf16>) axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: and one number for each column.
// CHECK: error: 'npu.matmul_nbits' bias: expected shape 48, found 64{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>, %b: tensor<64xf32>) {
  %y = npu.matmul_nbits %x, %w, %s bias(%b : tensor<64xf32>) axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf32>
  return
}

// -----

/// matmul_nbits: the result has the type of the data,
// CHECK: error: 'npu.matmul_nbits' result: expected element type f32, found f16{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x48xf16>
  return
}

// -----

/// matmul_nbits: and the columns of the weights.
// CHECK: error: 'npu.matmul_nbits' result: expected shape 7x48, found 7x64{{$}}
func.func @f(%x: tensor<7x64xf32>, %w: tensor<48x2x16xui8>, %s: tensor<48x2xf32>) {
  %y = npu.matmul_nbits %x, %w, %s axis = 1 bits = 4 block_size = 32 : (tensor<7x64xf32>, tensor<48x2x16xui8>, tensor<48x2xf32>) -> tensor<7x64xf32>
  return
}

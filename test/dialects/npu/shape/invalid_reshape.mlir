// RUN: NPU_VERIFY_DIAG

/// A reshape does not convert numbers.
// CHECK: error: 'npu.reshape' result: expected element type f32, found f16
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reshape %x : (tensor<2x3xf32>) -> tensor<6xf16>
  return
}

// -----

/// It has as many elements as its operand.
// CHECK: error: 'npu.reshape' result: expected 6 elements like input, found 8 in 2x4
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reshape %x : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

/// A scalar is one element, not none.
// CHECK: error: 'npu.reshape' result: expected 0 elements like input, found 1 in scalar
func.func @f(%x: tensor<0xf32>) {
  %y = npu.reshape %x : (tensor<0xf32>) -> tensor<f32>
  return
}

// -----

/// Apart from a linked dimension as well.
// CHECK: error: 'npu.reshape' result: expected 4 elements like input besides @in0, found 8 in ?x8
func.func @f(%x: tensor<?x4xf32>) {
  %y = npu.reshape %x dims = [@in0, 8] : (tensor<?x4xf32>) -> tensor<?x8xf32>
  return
}

// -----

/// Apart from several linked dimensions, in any order.
// CHECK: error: 'npu.reshape' result: expected 4 elements like input besides @in0 and @in2, found 2 in ?x2x?
func.func @f(%x: tensor<?x4x?xf32>) {
  %y = npu.reshape %x dims = [@in2, 2, @in0] : (tensor<?x4x?xf32>) -> tensor<?x2x?xf32>
  return
}

// -----

/// An entry for each dimension of the result.
// CHECK: error: 'npu.reshape' dims: expected 3 entries, one for each dimension of the result, found 1
func.func @f(%x: tensor<?x4xf32>) {
  %y = npu.reshape %x dims = [@in0] : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
  return
}

// -----

/// The operand has no such dimension.
// CHECK: error: 'npu.reshape' dims: expected a dimension of input, which has 2, found @in2
func.func @f(%x: tensor<?x4xf32>) {
  %y = npu.reshape %x dims = [@in2, 4] : tensor<?x4xf32>
  return
}

// -----

/// The linked dimension has another size.
// CHECK: error: 'npu.reshape' dims: expected 3 in place 0 like the result, found 2
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reshape %x dims = [@in0, 2] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

/// The size of a linked dimension is dynamic in both types or in none.
// CHECK: error: 'npu.reshape' dims: expected 2 in place 0 like the result, found ?
func.func @f(%x: tensor<?x3xf32>) {
  %y = npu.reshape %x dims = [@in0, 3] : (tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

/// A number is the size in the type.
// CHECK: error: 'npu.reshape' dims: expected 2 in place 1 like the result, found 3
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reshape %x dims = [3, 3] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

/// A dimension that is `?` must be dynamic in the type.
// CHECK: error: 'npu.reshape' dims: expected 3 in place 0 like the result, found ?
func.func @f(%x: tensor<2x3xf32>) {
  %y = npu.reshape %x dims = [?, 2] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

/// Two dynamic sizes without `dims`.
// CHECK: error: 'npu.reshape' dims: expected at most one result dimension of unknown origin, found [0, 1]
func.func @f(%x: tensor<?x?x768xf32>) {
  %y = npu.reshape %x : (tensor<?x?x768xf32>) -> tensor<?x?x12x64xf32>
  return
}

// -----

/// Two dynamic sizes of unknown origin.
// CHECK: error: 'npu.reshape' dims: expected at most one result dimension of unknown origin, found [1, 2]
func.func @f(%x: tensor<?x?x768xf32>) {
  %y = npu.reshape %x dims = [@in0, ?, ?] : (tensor<?x?x768xf32>) -> tensor<?x?x?xf32>
  return
}

// -----

/// A flatten of NHWC would read other elements than a flatten of the same image in NCHW.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found NHWC for 1x4x6x8
func.func @f(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
  %y = npu.reshape %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  return
}

// -----

/// No other order of the result is right either.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found NHWC for 2x4x6x8
func.func @f(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) {
  %y = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<192x2xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// The order carries to another one than the result has: H and W merged are before C.
// CHECK: error: 'npu.reshape' result: expected order [0, 2, 1] (2x24x8), to which NHWC carries, found [0, 1, 2] (2x8x24)
func.func @f(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) {
  %y = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x8x24xf32, #npu.layout<Tensor>>
  return
}

// -----

/// The same with axes of equal sizes.
// CHECK: error: 'npu.reshape' result: expected order [0, 2, 1] (4x16x4), to which NHWC carries, found [0, 1, 2] (4x4x16)
func.func @f(%x: tensor<4x4x4x4xf32, #npu.layout<NHWC>>) {
  %y = npu.reshape %x : (tensor<4x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<4x4x16xf32, #npu.layout<Tensor>>
  return
}

// -----

/// A reshape that changes nothing but the order is a transpose.
// CHECK: error: 'npu.reshape' result: expected order [0, 1] (4x4), to which Tensor carries, found [1, 0] (4x4)
func.func @f(%x: tensor<4x4xf32, #npu.layout<Tensor>>) {
  %y = npu.reshape %x : (tensor<4x4xf32, #npu.layout<Tensor>>) -> tensor<4x4xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// Heads that are not stored adjacent to the numbers of each head cannot be merged with them.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found Tensor, [0, 2, 1, 3] for 2x12x7x64
func.func @f(%x: tensor<2x12x7x64xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>) {
  %y = npu.reshape %x : (tensor<2x12x7x64xf32, #npu.layout<Tensor, [0, 2, 1, 3]>>) -> tensor<2x7x768xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Links are physical positions: crossed, they name the wrong axes, which cannot be matched.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found Tensor, [0, 2, 1] for ?x768x?
func.func @f(%x: tensor<?x768x?xf32, #npu.layout<Tensor, [0, 2, 1]>>) {
  %y = npu.reshape %x dims = [@in2, 12, 64, @in0]
    : (tensor<?x768x?xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<?x12x64x?xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
  return
}

// -----

/// A block, 4x6 to 6x4, is split by the order of the operand.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found Tensor, [1, 0] for 6x4
func.func @f(%x: tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>>) {
  %y = npu.reshape %x : (tensor<6x4xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
  return
}

// -----

/// Dynamic sizes that cannot be matched are such a block.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found Tensor, [1, 0] for 4x?
func.func @f(%x: tensor<4x?xf32, #npu.layout<Tensor, [1, 0]>>) {
  %y = npu.reshape %x : (tensor<4x?xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<8x?xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// Kernels: I of HWOI cannot be merged with the window, because O is between them.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found HWOI for 3x3x32x16
func.func @f(%x: tensor<3x3x32x16xf32, #npu.layout<HWOI>>) {
  %y = npu.reshape %x : (tensor<3x3x32x16xf32, #npu.layout<HWOI>>) -> tensor<144x32xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

// -----

/// Stored in C, W, H, N: the two parts of C keep their order.
// CHECK: error: 'npu.reshape' result: expected order [1, 2, 4, 3, 0] (2x4x6x4x2), to which CWHN carries, found [2, 1, 4, 3, 0] (4x2x6x4x2)
func.func @f(%x: tensor<8x6x4x2xf32, #npu.layout<CWHN>>) {
  %y = npu.reshape %x : (tensor<8x6x4x2xf32, #npu.layout<CWHN>>) -> tensor<4x2x6x4x2xf32, #npu.layout<Tensor, [2, 1, 4, 3, 0]>>
  return
}

// -----

/// A result without a layout has the identity order: a flatten of NHWC is wrong there, too.
// CHECK: error: 'npu.reshape' input: expected an order that the reshape keeps (to reshape the stored bytes, relabel them to Tensor first), found NHWC for 2x4x6x8
func.func @f(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) {
  %y = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x192xf32>
  return
}

// -----

/// An operand without a layout has the identity order, as well.
// CHECK: error: 'npu.reshape' result: expected order [0, 1] (192x2), to which Tensor carries, found [1, 0] (2x192)
func.func @f(%x: tensor<2x4x6x8xf32>) {
  %y = npu.reshape %x : (tensor<2x4x6x8xf32>) -> tensor<2x192xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

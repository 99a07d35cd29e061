// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// One dynamic size in the result needs no `dims`.
// CHECK-LABEL: func.func @one(
func.func @one(%x: tensor<?x4x6xf32>, %static: tensor<2x12xf32>, %all: tensor<?x?x?xf32>) {
  // CHECK-NEXT: %a = npu.reshape %x : (tensor<?x4x6xf32>) -> tensor<?x24xf32>
  %a = npu.reshape %x : (tensor<?x4x6xf32>) -> tensor<?x24xf32>
  // CHECK-NEXT: %b = npu.reshape %static : (tensor<2x12xf32>) -> tensor<?x4xf32>
  %b = npu.reshape %static : (tensor<2x12xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: %c = npu.reshape %all : (tensor<?x?x?xf32>) -> tensor<?x8xf32>
  %c = npu.reshape %all : (tensor<?x?x?xf32>) -> tensor<?x8xf32>
  // CHECK-NEXT: %d = npu.reshape %all : (tensor<?x?x?xf32>) -> tensor<2x8xf32>
  %d = npu.reshape %all : (tensor<?x?x?xf32>) -> tensor<2x8xf32>
  return
}

/// Several do: `@in1` is the size of the operand's dimension 1, `?` the one that remains.
// CHECK-LABEL: func.func @dims(
func.func @dims(%x: tensor<?x?x768xf32>, %y: tensor<?x12x?x64xf32>, %z: tensor<?x4xf32>) {
  // CHECK-NEXT: %split = npu.reshape %x dims = [@in0, @in1, 12, 64] : (tensor<?x?x768xf32>) -> tensor<?x?x12x64xf32>
  %split = npu.reshape %x dims = [@in0, @in1, 12, 64] : (tensor<?x?x768xf32>) -> tensor<?x?x12x64xf32>
  // CHECK-NEXT: %static = npu.reshape %x dims = [@in0, @in1, @in2] {same} : tensor<?x?x768xf32>
  %static = npu.reshape %x dims = [@in0, @in1, @in2] {same} : tensor<?x?x768xf32>
  // CHECK-NEXT: %batch = npu.reshape %y dims = [?, @in2, 64] : (tensor<?x12x?x64xf32>) -> tensor<?x?x64xf32>
  %batch = npu.reshape %y dims = [?, @in2, 64] : (tensor<?x12x?x64xf32>) -> tensor<?x?x64xf32>
  // CHECK-NEXT: %twice = npu.reshape %x dims = [@in0, @in0, ?] : (tensor<?x?x768xf32>) -> tensor<?x?x?xf32>
  %twice = npu.reshape %x dims = [@in0, @in0, ?] : (tensor<?x?x768xf32>) -> tensor<?x?x?xf32>
  /// Right if the size is 4 at run time.
  // CHECK-NEXT: %square = npu.reshape %z dims = [@in0, @in0] : (tensor<?x4xf32>) -> tensor<?x?xf32>
  %square = npu.reshape %z dims = [@in0, @in0] : (tensor<?x4xf32>) -> tensor<?x?xf32>
  return
}

/// An empty list is the list of a scalar.
// CHECK-LABEL: func.func @scalar(
func.func @scalar(%one: tensor<1xf32>) {
  // CHECK-NEXT: %a = npu.reshape %one dims = [] : (tensor<1xf32>) -> tensor<f32>
  %a = npu.reshape %one dims = [] : (tensor<1xf32>) -> tensor<f32>
  return
}

/// Attention: heads are split from the last axis and merged to it again; pieces stay in place.
/// The positions of `dims` are physical on both sides.
// CHECK-LABEL: func.func @heads(
func.func @heads(
  %bsh: tensor<?x?x768xf32, #npu.layout<Tensor>>, %bhs: tensor<?x768x?xf32, #npu.layout<Tensor, [0, 2, 1]>>, %split: tensor<?x12x64x?xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
) {
  // CHECK-NEXT: %a = npu.reshape %bsh dims = [@in0, @in1, 12, 64] : (tensor<?x?x768xf32, #npu.layout<Tensor>>) -> tensor<?x?x12x64xf32, #npu.layout<Tensor>>
  %a = npu.reshape %bsh dims = [@in0, @in1, 12, 64]
    : (tensor<?x?x768xf32, #npu.layout<Tensor>>) -> tensor<?x?x12x64xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %b = npu.reshape %bhs dims = [@in0, 12, 64, @in2] : (tensor<?x768x?xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<?x12x64x?xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
  %b = npu.reshape %bhs dims = [@in0, 12, 64, @in2]
    : (tensor<?x768x?xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<?x12x64x?xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
  // CHECK-NEXT: %c = npu.reshape %split dims = [@in0, 768, @in3] : (tensor<?x12x64x?xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<?x768x?xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %c = npu.reshape %split dims = [@in0, 768, @in3]
    : (tensor<?x12x64x?xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<?x768x?xf32, #npu.layout<Tensor, [0, 2, 1]>>
  return
}

/// One dynamic size on each side, and the static ones equal: they are the same. H and W are merged beside a dynamic batch.
// CHECK-LABEL: func.func @matched(
func.func @matched(%x: tensor<?x4x6x8xf32, #npu.layout<NHWC>>, %h: tensor<2x?x6x8xf32, #npu.layout<NHWC>>, %t: tensor<8x?xf32, #npu.layout<Tensor, [1, 0]>>) {
  // CHECK-NEXT: %a = npu.reshape %x : (tensor<?x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<?x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %a = npu.reshape %x : (tensor<?x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<?x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %b = npu.reshape %h : (tensor<2x?x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x?x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %b = npu.reshape %h : (tensor<2x?x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x?x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %c = npu.reshape %t : (tensor<8x?xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x4x?xf32, #npu.layout<Tensor, [1, 2, 0]>>
  %c = npu.reshape %t : (tensor<8x?xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<2x4x?xf32, #npu.layout<Tensor, [1, 2, 0]>>
  return
}

/// Sizes that cannot be matched are a block: it carries in identity order and if it is contiguous.
// CHECK-LABEL: func.func @block(
func.func @block(%t: tensor<?x4xf32, #npu.layout<Tensor>>, %x: tensor<2x?x?x8xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %a = npu.reshape %t : (tensor<?x4xf32, #npu.layout<Tensor>>) -> tensor<?x8xf32, #npu.layout<Tensor>>
  %a = npu.reshape %t : (tensor<?x4xf32, #npu.layout<Tensor>>) -> tensor<?x8xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %b = npu.reshape %x : (tensor<2x?x?x8xf32, #npu.layout<NHWC>>) -> tensor<2x?x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %b = npu.reshape %x : (tensor<2x?x?x8xf32, #npu.layout<NHWC>>) -> tensor<2x?x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  return
}

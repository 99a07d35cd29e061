// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP
// Reshapes have files of their own.

/// `axes` are the positions of the operand's dimensions in the result; the others are new. Unit dimensions are repeated.
// CHECK-LABEL: func.func @broadcast(
func.func @broadcast(%x: tensor<8x1xf32>, %s: tensor<f32>, %all: tensor<2x3xi1>, %d: tensor<?x1xf32>, %z: tensor<0xf32>) {
  // CHECK-NEXT: %a = npu.broadcast %x axes = [1, 3] : (tensor<8x1xf32>) -> tensor<2x8x5x4xf32>
  %a = npu.broadcast %x axes = [1, 3] : (tensor<8x1xf32>) -> tensor<2x8x5x4xf32>
  // CHECK-NEXT: %b = npu.broadcast %s axes = [] : (tensor<f32>) -> tensor<2x3xf32>
  %b = npu.broadcast %s axes = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %c = npu.broadcast %s axes = [] {keep} : tensor<f32>
  %c = npu.broadcast %s axes = [] {keep} : tensor<f32>
  // CHECK-NEXT: %e = npu.broadcast %all axes = [0, 1] : tensor<2x3xi1>
  %e = npu.broadcast %all axes = [0, 1] : tensor<2x3xi1>
  // CHECK-NEXT: %f = npu.broadcast %d axes = [0, 2] : (tensor<?x1xf32>) -> tensor<4x?x?xf32>
  %f = npu.broadcast %d axes = [0, 2] : (tensor<?x1xf32>) -> tensor<4x?x?xf32>
  // CHECK-NEXT: %g = npu.broadcast %z axes = [1] : (tensor<0xf32>) -> tensor<3x0xf32>
  %g = npu.broadcast %z axes = [1] : (tensor<0xf32>) -> tensor<3x0xf32>
  // CHECK-NEXT: %h = npu.broadcast %x axes = [0, 1] : (tensor<8x1xf32>) -> tensor<8x0xf32>
  %h = npu.broadcast %x axes = [0, 1] : (tensor<8x1xf32>) -> tensor<8x0xf32>
  return
}

/// `axes` are physical positions, so those of a re-ordered tensor need not increase; the logical ones do.
// CHECK-LABEL: func.func @broadcast_coloured(
func.func @broadcast_coloured(
  %t: tensor<3x4xf32, #npu.layout<Tensor>>, %r: tensor<4x3xf32, #npu.layout<Tensor, [1, 0]>>, %c: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %v: tensor<8xf32, #npu.layout<Tensor>>
) {
  /// Logical 3x4 to 2x3x4x5, in identity order, and stored as 3, 5, 4, 2.
  // CHECK-NEXT: %a = npu.broadcast %t axes = [1, 2] : (tensor<3x4xf32, #npu.layout<Tensor>>) -> tensor<2x3x4x5xf32, #npu.layout<Tensor>>
  %a = npu.broadcast %t axes = [1, 2] : (tensor<3x4xf32, #npu.layout<Tensor>>) -> tensor<2x3x4x5xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %b = npu.broadcast %r axes = [2, 0] : (tensor<4x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x5x4x2xf32, #npu.layout<Tensor, [1, 3, 2, 0]>>
  %b = npu.broadcast %r axes = [2, 0] : (tensor<4x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x5x4x2xf32, #npu.layout<Tensor, [1, 3, 2, 0]>>
  // CHECK-NEXT: %d = npu.broadcast %c axes = [0, 3, 1, 2] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %d = npu.broadcast %c axes = [0, 3, 1, 2] : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %e = npu.broadcast %v axes = [3] : (tensor<8xf32, #npu.layout<Tensor>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %e = npu.broadcast %v axes = [3] : (tensor<8xf32, #npu.layout<Tensor>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %f = npu.broadcast %v axes = [0] : (tensor<8xf32, #npu.layout<Tensor>>) -> tensor<8x2xf32>
  %f = npu.broadcast %v axes = [0] : (tensor<8xf32, #npu.layout<Tensor>>) -> tensor<8x2xf32>
  return
}

/// The same permutation changes the storage only, the logical tensor only, or both, depending on the types.
// CHECK-LABEL: func.func @transpose(
func.func @transpose(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %u: tensor<2x3xf32>, %t: tensor<2x3xf32, #npu.layout<Tensor>>) {
  // CHECK-NEXT: %storage = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %storage = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %meaning = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
  %meaning = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %both = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NWHC>>
  %both = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NWHC>>
  // CHECK-NEXT: %plain = npu.transpose %u permutation = [1, 0] {keep} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %plain = npu.transpose %u permutation = [1, 0] {keep} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-NEXT: %tensor = npu.transpose %t permutation = [1, 0] : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
  %tensor = npu.transpose %t permutation = [1, 0] : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %swap = npu.transpose %t permutation = [1, 0] : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor>>
  %swap = npu.transpose %t permutation = [1, 0] : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor>>
  return
}

/// No axes, one axis, dynamic and zero sizes, high ranks, kernels, and one uncoloured side.
// CHECK-LABEL: func.func @transpose_shapes(
func.func @transpose_shapes(
  %s: tensor<f32>, %v: tensor<4xf32>, %d: tensor<?x3x?xf32>, %z: tensor<0x3xf32>, %high: tensor<1x2x3x4x5x6x7xf32, #npu.layout<Tensor>>,
  %w: tensor<32x16x3x5xf32, #npu.layout<OIHW>>, %n: tensor<2x3x4xf32, #npu.layout<NTensor>>
) {
  // CHECK-NEXT: %a = npu.transpose %s permutation = [] : tensor<f32>
  %a = npu.transpose %s permutation = [] : tensor<f32>
  // CHECK-NEXT: %b = npu.transpose %v permutation = [0] : tensor<4xf32>
  %b = npu.transpose %v permutation = [0] : tensor<4xf32>
  // CHECK-NEXT: %c = npu.transpose %d permutation = [2, 0, 1] : (tensor<?x3x?xf32>) -> tensor<?x5x3xf32>
  %c = npu.transpose %d permutation = [2, 0, 1] : (tensor<?x3x?xf32>) -> tensor<?x5x3xf32>
  // CHECK-NEXT: %e = npu.transpose %z permutation = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %e = npu.transpose %z permutation = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
  // CHECK-NEXT: %f = npu.transpose %high permutation = [6, 5, 4, 3, 2, 1, 0] : (tensor<1x2x3x4x5x6x7xf32, #npu.layout<Tensor>>) -> tensor<7x6x5x4x3x2x1xf32, #npu.layout<Tensor>>
  %f = npu.transpose %high permutation = [6, 5, 4, 3, 2, 1, 0] : (tensor<1x2x3x4x5x6x7xf32, #npu.layout<Tensor>>) -> tensor<7x6x5x4x3x2x1xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %g = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<32x16x3x5xf32, #npu.layout<OIHW>>) -> tensor<3x5x32x16xf32, #npu.layout<HWOI>>
  %g = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<32x16x3x5xf32, #npu.layout<OIHW>>) -> tensor<3x5x32x16xf32, #npu.layout<HWOI>>
  // CHECK-NEXT: %h = npu.transpose %n permutation = [0, 2, 1] : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<2x4x3xf32, #npu.layout<NTensor, [0, 2, 1]>>
  %h = npu.transpose %n permutation = [0, 2, 1] : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<2x4x3xf32, #npu.layout<NTensor, [0, 2, 1]>>
  // CHECK-NEXT: %i = npu.transpose %n permutation = [0, 2, 1] : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<2x4x3xf32>
  %i = npu.transpose %n permutation = [0, 2, 1] : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<2x4x3xf32>
  return
}

/// The same bytes under another class, another order, both, or a layout for the first time.
// CHECK-LABEL: func.func @relabel(
func.func @relabel(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %t: tensor<?x3xf32, #npu.layout<Tensor>>, %u: tensor<2x3x4xi8>, %same: tensor<0xf32, #npu.layout<Tensor>>) {
  // CHECK-NEXT: %class = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
  %class = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
  // CHECK-NEXT: %stored = npu.relabel %x {keep} : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  %stored = npu.relabel %x {keep} : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %names = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
  %names = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %kernel = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<OHWI>>
  %kernel = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<OHWI>>
  // CHECK-NEXT: %order = npu.relabel %t : (tensor<?x3xf32, #npu.layout<Tensor>>) -> tensor<?x3xf32, #npu.layout<Tensor, [1, 0]>>
  %order = npu.relabel %t : (tensor<?x3xf32, #npu.layout<Tensor>>) -> tensor<?x3xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %first = npu.relabel %u : (tensor<2x3x4xi8>) -> tensor<2x3x4xi8, #npu.layout<NTensor>>
  %first = npu.relabel %u : (tensor<2x3x4xi8>) -> tensor<2x3x4xi8, #npu.layout<NTensor>>
  // CHECK-NEXT: %nothing = npu.relabel %same : tensor<0xf32, #npu.layout<Tensor>>
  %nothing = npu.relabel %same : tensor<0xf32, #npu.layout<Tensor>>
  return
}

/// The hardware's transposes: their names imply the layouts, so the types may omit them.
// CHECK-LABEL: func.func @fixed(
func.func @fixed(
  %nchw: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %nhwc: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %u: tensor<1x8x4x6xf32>, %d: tensor<?x4x?x8xf32>
) {
  // CHECK-NEXT: %a = npu.nchw2nhwc %nchw : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %a = npu.nchw2nhwc %nchw : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %b = npu.nhwc2nchw %nhwc {keep} : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %b = npu.nhwc2nchw %nhwc {keep} : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %c = npu.nchw2nhwc %u : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  %c = npu.nchw2nhwc %u : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  // CHECK-NEXT: %e = npu.nhwc2nchw %d : (tensor<?x4x?x8xf32>) -> tensor<?x8x4x?xf32>
  %e = npu.nhwc2nchw %d : (tensor<?x4x?x8xf32>) -> tensor<?x8x4x?xf32>
  return
}

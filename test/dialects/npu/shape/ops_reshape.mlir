// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// An uncoloured program has no orders.
// CHECK-LABEL: func.func @uncoloured(
func.func @uncoloured(%x: tensor<2x3x4xf32>, %one: tensor<1x1xi8>, %s: tensor<f32>) {
  // CHECK-NEXT: %a = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %a = npu.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  // CHECK-NEXT: %b = npu.reshape %x {keep = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<24xf32>
  %b = npu.reshape %x {keep = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<24xf32>
  // CHECK-NEXT: %c = npu.reshape %one : (tensor<1x1xi8>) -> tensor<i8>
  %c = npu.reshape %one : (tensor<1x1xi8>) -> tensor<i8>
  // CHECK-NEXT: %d = npu.reshape %s : (tensor<f32>) -> tensor<1x1x1xf32>
  %d = npu.reshape %s : (tensor<f32>) -> tensor<1x1x1xf32>
  return
}

/// Identity carries to identity, with any merge, split or block: 4x6 to 6x4 is a block.
// CHECK-LABEL: func.func @identity(
func.func @identity(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %t: tensor<4x6xf32, #npu.layout<Tensor>>, %n: tensor<2x3x4xf32, #npu.layout<NTensor>>) {
  // CHECK-NEXT: %flatten = npu.reshape %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  %flatten = npu.reshape %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %block = npu.reshape %t : (tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
  %block = npu.reshape %t : (tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %classes = npu.reshape %n : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
  %classes = npu.reshape %n : (tensor<2x3x4xf32, #npu.layout<NTensor>>) -> tensor<6x4xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %high = npu.reshape %t : (tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<2x2x1x1x1x2x3xf32, #npu.layout<Tensor>>
  %high = npu.reshape %t : (tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<2x2x1x1x1x2x3xf32, #npu.layout<Tensor>>
  return
}

/// From an image to a tensor and back: H and W are merged if they are adjacent, in NHWC and in CHWN.
// CHECK-LABEL: func.func @image(
func.func @image(%nhwc: tensor<2x4x6x8xf32, #npu.layout<NHWC>>, %chwn: tensor<8x4x6x2xf32, #npu.layout<CHWN>>, %t: tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) {
  // CHECK-NEXT: %a = npu.reshape %nhwc : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %a = npu.reshape %nhwc : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %b = npu.reshape %chwn : (tensor<8x4x6x2xf32, #npu.layout<CHWN>>) -> tensor<8x24x2xf32, #npu.layout<Tensor, [1, 2, 0]>>
  %b = npu.reshape %chwn : (tensor<8x4x6x2xf32, #npu.layout<CHWN>>) -> tensor<8x24x2xf32, #npu.layout<Tensor, [1, 2, 0]>>
  // CHECK-NEXT: %c = npu.reshape %t : (tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  %c = npu.reshape %t : (tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<2x4x6x8xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %d = npu.reshape %t : (tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<2x24x8xf32, #npu.layout<NWC>>
  %d = npu.reshape %t : (tensor<2x24x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<2x24x8xf32, #npu.layout<NWC>>
  return
}

/// Kernels: the window of HWOI in one axis, and O split into groups.
// CHECK-LABEL: func.func @kernel(
func.func @kernel(%hwoi: tensor<3x5x32x16xf32, #npu.layout<HWOI>>) {
  // CHECK-NEXT: %a = npu.reshape %hwoi : (tensor<3x5x32x16xf32, #npu.layout<HWOI>>) -> tensor<15x32x16xf32, #npu.layout<Tensor, [2, 0, 1]>>
  %a = npu.reshape %hwoi : (tensor<3x5x32x16xf32, #npu.layout<HWOI>>) -> tensor<15x32x16xf32, #npu.layout<Tensor, [2, 0, 1]>>
  // CHECK-NEXT: %b = npu.reshape %hwoi : (tensor<3x5x32x16xf32, #npu.layout<HWOI>>) -> tensor<3x5x4x8x16xf32, #npu.layout<Tensor, [3, 4, 0, 1, 2]>>
  %b = npu.reshape %hwoi : (tensor<3x5x32x16xf32, #npu.layout<HWOI>>) -> tensor<3x5x4x8x16xf32, #npu.layout<Tensor, [3, 4, 0, 1, 2]>>
  return
}

/// Any axis can be split; its pieces stay in place. C of NHWC into 2x4, W into 3x2.
// CHECK-LABEL: func.func @cut(
func.func @cut(%x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %a = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x2x4xf32, #npu.layout<Tensor, [0, 3, 4, 1, 2]>>
  %a = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x6x2x4xf32, #npu.layout<Tensor, [0, 3, 4, 1, 2]>>
  // CHECK-NEXT: %b = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x3x2x8xf32, #npu.layout<NDHWC>>
  %b = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x4x3x2x8xf32, #npu.layout<NDHWC>>
  return
}

/// The position of a unit axis is free: with one pixel NHWC is NCHW, and a new unit axis may be anywhere.
// CHECK-LABEL: func.func @units(
func.func @units(
  %pixel: tensor<2x1x1x8xf32, #npu.layout<NHWC>>, %t: tensor<8x4xf32, #npu.layout<Tensor, [1, 0]>>, %one: tensor<1x1x1x1xf32, #npu.layout<NHWC>>, %s: tensor<f32, #npu.layout<Tensor>>
) {
  // CHECK-NEXT: %a = npu.reshape %pixel : (tensor<2x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<2x8xf32, #npu.layout<Tensor>>
  %a = npu.reshape %pixel : (tensor<2x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<2x8xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %b = npu.reshape %pixel : (tensor<2x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<2x8x1x1xf32, #npu.layout<NCHW>>
  %b = npu.reshape %pixel : (tensor<2x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<2x8x1x1xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %c = npu.reshape %pixel : (tensor<2x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x2x1x8xf32, #npu.layout<HNWC>>
  %c = npu.reshape %pixel : (tensor<2x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x2x1x8xf32, #npu.layout<HNWC>>
  // CHECK-NEXT: %d = npu.reshape %t : (tensor<8x4xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<8x1x4xf32, #npu.layout<Tensor, [2, 0, 1]>>
  %d = npu.reshape %t : (tensor<8x4xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<8x1x4xf32, #npu.layout<Tensor, [2, 0, 1]>>
  // CHECK-NEXT: %e = npu.reshape %t : (tensor<8x4xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x8x4xf32, #npu.layout<Tensor, [1, 2, 0]>>
  %e = npu.reshape %t : (tensor<8x4xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<1x8x4xf32, #npu.layout<Tensor, [1, 2, 0]>>
  // CHECK-NEXT: %f = npu.reshape %one : (tensor<1x1x1x1xf32, #npu.layout<NHWC>>) -> tensor<f32, #npu.layout<Tensor>>
  %f = npu.reshape %one : (tensor<1x1x1x1xf32, #npu.layout<NHWC>>) -> tensor<f32, #npu.layout<Tensor>>
  // CHECK-NEXT: %g = npu.reshape %s : (tensor<f32, #npu.layout<Tensor>>) -> tensor<1x1x1x1xf32, #npu.layout<CHWN>>
  %g = npu.reshape %s : (tensor<f32, #npu.layout<Tensor>>) -> tensor<1x1x1x1xf32, #npu.layout<CHWN>>
  return
}

/// A block may be anywhere if its axes are adjacent and in order: 4x6 to 6x4 before and after the 2.
// CHECK-LABEL: func.func @blocks(
func.func @blocks(%t: tensor<4x6x2xf32, #npu.layout<Tensor, [1, 2, 0]>>, %x: tensor<2x4x6x8xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %a = npu.reshape %t : (tensor<4x6x2xf32, #npu.layout<Tensor, [1, 2, 0]>>) -> tensor<6x4x2xf32, #npu.layout<Tensor, [1, 2, 0]>>
  %a = npu.reshape %t : (tensor<4x6x2xf32, #npu.layout<Tensor, [1, 2, 0]>>) -> tensor<6x4x2xf32, #npu.layout<Tensor, [1, 2, 0]>>
  // CHECK-NEXT: %b = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x6x4x8xf32, #npu.layout<NHWC>>
  %b = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<2x6x4x8xf32, #npu.layout<NHWC>>
  return
}

/// Without elements any order is right.
// CHECK-LABEL: func.func @zero(
func.func @zero(%none: tensor<0x4x6x8xf32, #npu.layout<NHWC>>, %t: tensor<4x0xf32, #npu.layout<Tensor, [1, 0]>>, %u: tensor<0xf32>) {
  // CHECK-NEXT: %a = npu.reshape %none : (tensor<0x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<0x192xf32, #npu.layout<Tensor>>
  %a = npu.reshape %none : (tensor<0x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<0x192xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %b = npu.reshape %none : (tensor<0x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<192x0xf32, #npu.layout<Tensor, [1, 0]>>
  %b = npu.reshape %none : (tensor<0x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<192x0xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %c = npu.reshape %t : (tensor<4x0xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<0x7x0xf32, #npu.layout<NTensor>>
  %c = npu.reshape %t : (tensor<4x0xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<0x7x0xf32, #npu.layout<NTensor>>
  // CHECK-NEXT: %d = npu.reshape %u : (tensor<0xf32>) -> tensor<5x0x9xf32>
  %d = npu.reshape %u : (tensor<0xf32>) -> tensor<5x0x9xf32>
  return
}

/// One side may be uncoloured; it has the identity order.
// CHECK-LABEL: func.func @mixed(
func.func @mixed(%x: tensor<2x4x6x8xf32, #npu.layout<NCHW>>, %u: tensor<2x4x6x8xf32>) {
  // CHECK-NEXT: %a = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<2x192xf32>
  %a = npu.reshape %x : (tensor<2x4x6x8xf32, #npu.layout<NCHW>>) -> tensor<2x192xf32>
  // CHECK-NEXT: %b = npu.reshape %u : (tensor<2x4x6x8xf32>) -> tensor<2x24x8xf32, #npu.layout<NTensor>>
  %b = npu.reshape %u : (tensor<2x4x6x8xf32>) -> tensor<2x24x8xf32, #npu.layout<NTensor>>
  return
}

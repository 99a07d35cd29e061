// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// One of two elements, by a condition.
// CHECK-LABEL: func.func @select(
func.func @select(
  %c: tensor<2x3xi1>, %a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %s: tensor<f32>, %t: tensor<i1>, %r: tensor<2x1xi1>,
  %p: tensor<1x3xi1>, %q: tensor<1x1xi1>
) {
  // CHECK-NEXT: %select = npu.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %select = npu.select %c, %a, %b : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %select2 = npu.select %c, %s, %b : (tensor<2x3xi1>, tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %select2 = npu.select %c, %s, %b : (tensor<2x3xi1>, tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %select3 = npu.select %t, %a, %b : (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %select3 = npu.select %t, %a, %b : (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %select4 = npu.select %r, %p, %q : (tensor<2x1xi1>, tensor<1x3xi1>, tensor<1x1xi1>) -> tensor<2x3xi1>
  %select4 = npu.select %r, %p, %q : (tensor<2x1xi1>, tensor<1x3xi1>, tensor<1x1xi1>) -> tensor<2x3xi1>
  return
}

/// Every element type can be cast to every other.
// CHECK-LABEL: func.func @cast(
func.func @cast(
  %f: tensor<2x3xf32>, %i: tensor<2x3xi4>, %b: tensor<2x3xi1>, %n: tensor<1x8x8x16xi8, #npu.layout<NHWC>>
) {
  // CHECK-NEXT: %cast = npu.cast %f : (tensor<2x3xf32>) -> tensor<2x3xi32>
  %cast = npu.cast %f : (tensor<2x3xf32>) -> tensor<2x3xi32>
  // CHECK-NEXT: %cast2 = npu.cast %f : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %cast2 = npu.cast %f : (tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: %cast3 = npu.cast %f : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  %cast3 = npu.cast %f : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  // CHECK-NEXT: %cast4 = npu.cast %f : tensor<2x3xf32>
  %cast4 = npu.cast %f : tensor<2x3xf32>
  // CHECK-NEXT: %cast5 = npu.cast %i : (tensor<2x3xi4>) -> tensor<2x3xui64>
  %cast5 = npu.cast %i : (tensor<2x3xi4>) -> tensor<2x3xui64>
  // CHECK-NEXT: %cast6 = npu.cast %b : (tensor<2x3xi1>) -> tensor<2x3xf64>
  %cast6 = npu.cast %b : (tensor<2x3xi1>) -> tensor<2x3xf64>
  // CHECK-NEXT: %cast7 = npu.cast %n : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf16, #npu.layout<NHWC>>
  %cast7 = npu.cast %n : (tensor<1x8x8x16xi8, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf16, #npu.layout<NHWC>>
  return
}

/// Axes of one element are repeated, on either side and on both.
// CHECK-LABEL: func.func @broadcast(
func.func @broadcast(
  %x: tensor<1x8x8x16xf32>, %v: tensor<1x1x1x16xf32>, %c: tensor<4x1xf32>, %r: tensor<1x5xf32>, %z: tensor<0x4xf32>,
  %o: tensor<1x4xf32>
) {
  // CHECK-NEXT: %add = npu.add %x, %v : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32>
  %add = npu.add %x, %v : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32>
  // CHECK-NEXT: %add2 = npu.add %v, %x : (tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %add2 = npu.add %v, %x : (tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  // CHECK-NEXT: %add3 = npu.add %c, %r : (tensor<4x1xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
  %add3 = npu.add %c, %r : (tensor<4x1xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
  // CHECK-NEXT: %add4 = npu.add %z, %o : (tensor<0x4xf32>, tensor<1x4xf32>) -> tensor<0x4xf32>
  %add4 = npu.add %z, %o : (tensor<0x4xf32>, tensor<1x4xf32>) -> tensor<0x4xf32>
  return
}

/// One element may have any rank.
// CHECK-LABEL: func.func @one_element(
func.func @one_element(%x: tensor<2x3xf32>, %s: tensor<f32>, %v: tensor<1xf32>, %w: tensor<1x1x1xf32>) {
  // CHECK-NEXT: %mul = npu.mul %x, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %mul = npu.mul %x, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %mul2 = npu.mul %x, %v : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  %mul2 = npu.mul %x, %v : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %mul3 = npu.mul %w, %x : (tensor<1x1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %mul3 = npu.mul %w, %x : (tensor<1x1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %mul4 = npu.mul %s, %s : tensor<f32>
  %mul4 = npu.mul %s, %s : tensor<f32>
  return
}

/// Dynamic sizes agree with all; static ones determine the result.
// CHECK-LABEL: func.func @dynamic(
func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>, %c: tensor<4x3xf32>, %d: tensor<1x3xf32>) {
  // CHECK-NEXT: %sub = npu.sub %a, %b : tensor<?x3xf32>
  %sub = npu.sub %a, %b : tensor<?x3xf32>
  // CHECK-NEXT: %sub2 = npu.sub %a, %c : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  %sub2 = npu.sub %a, %c : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: %sub3 = npu.sub %a, %d : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  %sub3 = npu.sub %a, %d : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  // CHECK-NEXT: %sub4 = npu.sub %a, %d : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<7x3xf32>
  %sub4 = npu.sub %a, %d : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<7x3xf32>
  return
}

/// Operands and result share one layout of any class and order.
// CHECK-LABEL: func.func @layouts(
func.func @layouts(
  %n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %m: tensor<1x1x1x16xf32, #npu.layout<NHWC>>,
  %w: tensor<3x3x8x4xf32, #npu.layout<HWOI>>, %t: tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>,
  %b: tensor<2x4x8xf32, #npu.layout<NTensor, [0, 2, 1]>>
) {
  // CHECK-NEXT: %add = npu.add %n, %m : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x1x1x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %add = npu.add %n, %m
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x1x1x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %add2 = npu.add %w, %w : tensor<3x3x8x4xf32, #npu.layout<HWOI>>
  %add2 = npu.add %w, %w
    : tensor<3x3x8x4xf32, #npu.layout<HWOI>>
  // CHECK-NEXT: %add3 = npu.add %t, %t : tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
  %add3 = npu.add %t, %t
    : tensor<4x8xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %add4 = npu.add %b, %b : tensor<2x4x8xf32, #npu.layout<NTensor, [0, 2, 1]>>
  %add4 = npu.add %b, %b
    : tensor<2x4x8xf32, #npu.layout<NTensor, [0, 2, 1]>>
  return
}

/// An uncoloured value agrees with every layout.
// CHECK-LABEL: func.func @partly_coloured(
func.func @partly_coloured(
  %n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %u: tensor<1x1x1x16xf32>, %p: tensor<1x8x8x16xf32>
) {
  // CHECK-NEXT: %add = npu.add %n, %u : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %add = npu.add %n, %u
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x1x1x16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %add2 = npu.add %u, %n : (tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32>
  %add2 = npu.add %u, %n : (tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32>
  // CHECK-NEXT: %add3 = npu.add %u, %p : (tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NCHW>>
  %add3 = npu.add %u, %p : (tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32, #npu.layout<NCHW>>
  return
}

/// One element may have another layout: it is stored in the same way in all of them.
// CHECK-LABEL: func.func @one_element_layouts(
func.func @one_element_layouts(
  %n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %s: tensor<f32, #npu.layout<Tensor>>,
  %v: tensor<1x1x1x1xf32, #npu.layout<NCHW>>, %w: tensor<1x1x1xf32, #npu.layout<NTensor, [0, 2, 1]>>
) {
  // CHECK-NEXT: %mul = npu.mul %n, %s : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<f32, #npu.layout<Tensor>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %mul = npu.mul %n, %s
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<f32, #npu.layout<Tensor>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %mul2 = npu.mul %n, %v : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %mul2 = npu.mul %n, %v
    : (tensor<1x8x8x16xf32, #npu.layout<NHWC>>, tensor<1x1x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %mul3 = npu.mul %w, %n : (tensor<1x1x1xf32, #npu.layout<NTensor, [0, 2, 1]>>, tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %mul3 = npu.mul %w, %n
    : (tensor<1x1x1xf32, #npu.layout<NTensor, [0, 2, 1]>>, tensor<1x8x8x16xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

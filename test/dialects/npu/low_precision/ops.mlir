// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// A scale for each block along an axis, in the order of the data; the last block may be shorter.
// CHECK-LABEL: func.func @blocks(
func.func @blocks(
  %x: tensor<64x128xf32>, %s: tensor<64x4xf8E8M0FNU>, %q4: tensor<64x100xi4>, %s4: tensor<64x4xf32>, %z4: tensor<64x4xi4>,
  %n: tensor<1x8x9x32xf16, #npu.layout<NHWC>>, %sn: tensor<1x8x9x2xf16, #npu.layout<NHWC>>, %d: tensor<?x128xui4>,
  %sd: tensor<?x?xf32>
) {
  // CHECK-NEXT: %q = npu.block_quantize %x, %s axis = 1 block_size = 32 : (tensor<64x128xf32>, tensor<64x4xf8E8M0FNU>) -> tensor<64x128xf4E2M1FN>
  %q = npu.block_quantize %x, %s axis = 1 block_size = 32 : (tensor<64x128xf32>, tensor<64x4xf8E8M0FNU>) -> tensor<64x128xf4E2M1FN>
  // CHECK-NEXT: %y = npu.block_dequantize %q, %s axis = 1 block_size = 32 : (tensor<64x128xf4E2M1FN>, tensor<64x4xf8E8M0FNU>) -> tensor<64x128xf32>
  %y = npu.block_dequantize %q, %s axis = 1 block_size = 32 : (tensor<64x128xf4E2M1FN>, tensor<64x4xf8E8M0FNU>) -> tensor<64x128xf32>
  // CHECK-NEXT: %y4 = npu.block_dequantize %q4, %s4, %z4 axis = 1 block_size = 32 : (tensor<64x100xi4>, tensor<64x4xf32>, tensor<64x4xi4>) -> tensor<64x100xf32>
  %y4 = npu.block_dequantize %q4, %s4, %z4 axis = 1 block_size = 32 : (tensor<64x100xi4>, tensor<64x4xf32>, tensor<64x4xi4>) -> tensor<64x100xf32>
  // CHECK-NEXT: %qn = npu.block_quantize %n, %sn axis = 3 block_size = 16 : (tensor<1x8x9x32xf16, #npu.layout<NHWC>>, tensor<1x8x9x2xf16, #npu.layout<NHWC>>) -> tensor<1x8x9x32xi2, #npu.layout<NHWC>>
  %qn = npu.block_quantize %n, %sn axis = 3 block_size = 16 : (tensor<1x8x9x32xf16, #npu.layout<NHWC>>, tensor<1x8x9x2xf16, #npu.layout<NHWC>>) -> tensor<1x8x9x32xi2, #npu.layout<NHWC>>
  // CHECK-NEXT: %yd = npu.block_dequantize %d, %sd axis = 1 block_size = 32 : (tensor<?x128xui4>, tensor<?x?xf32>) -> tensor<?x128xf32>
  %yd = npu.block_dequantize %d, %sd axis = 1 block_size = 32 : (tensor<?x128xui4>, tensor<?x?xf32>) -> tensor<?x128xf32>
  return
}

/// A product with a packed matrix, with packed zero points, zero points that are floats, groups of rows and a bias.
// CHECK-LABEL: func.func @matmul_nbits(
func.func @matmul_nbits(
  %x: tensor<1x7x64xf32, #npu.layout<Tensor>>, %w: tensor<48x2x16xui8>, %s: tensor<96xf32>, %z: tensor<48x1xui8>,
  %zf: tensor<48x2xf32>, %g: tensor<64xi32>, %b: tensor<48xf32>
) {
  // CHECK-NEXT: %y = npu.matmul_nbits %x, %w, %s axis = 2 bits = 4 block_size = 32 : (tensor<1x7x64xf32, #npu.layout<Tensor>>, tensor<48x2x16xui8>, tensor<96xf32>) -> tensor<1x7x48xf32, #npu.layout<Tensor>>
  %y = npu.matmul_nbits %x, %w, %s axis = 2 bits = 4 block_size = 32
    : (tensor<1x7x64xf32, #npu.layout<Tensor>>, tensor<48x2x16xui8>, tensor<96xf32>) -> tensor<1x7x48xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %t = npu.matmul_nbits %x, %w, %s zero_point(%z : tensor<48x1xui8>) bias(%b : tensor<48xf32>) axis = 2 bits = 4 block_size = 32 accuracy = 4 : (tensor<1x7x64xf32, #npu.layout<Tensor>>, tensor<48x2x16xui8>, tensor<96xf32>) -> tensor<1x7x48xf32, #npu.layout<Tensor>>
  %t = npu.matmul_nbits %x, %w, %s zero_point(%z : tensor<48x1xui8>) bias(%b : tensor<48xf32>) axis = 2 bits = 4 block_size = 32 accuracy = 4
    : (tensor<1x7x64xf32, #npu.layout<Tensor>>, tensor<48x2x16xui8>, tensor<96xf32>) -> tensor<1x7x48xf32, #npu.layout<Tensor>>
  // CHECK-NEXT: %u = npu.matmul_nbits %x, %w, %s zero_point(%zf : tensor<48x2xf32>) groups(%g : tensor<64xi32>) axis = 2 bits = 4 block_size = 32 : (tensor<1x7x64xf32, #npu.layout<Tensor>>, tensor<48x2x16xui8>, tensor<96xf32>) -> tensor<1x7x48xf32, #npu.layout<Tensor>>
  %u = npu.matmul_nbits %x, %w, %s zero_point(%zf : tensor<48x2xf32>) groups(%g : tensor<64xi32>) axis = 2 bits = 4 block_size = 32
    : (tensor<1x7x64xf32, #npu.layout<Tensor>>, tensor<48x2x16xui8>, tensor<96xf32>) -> tensor<1x7x48xf32, #npu.layout<Tensor>>
  return
}

/// Two orders of a constant cost less than the transposes of what the second op reads and makes.
func.func @two_orders(%x: tensor<16x8xf32>, %y: tensor<8x16xf32>) -> (tensor<16x8xf32>, tensor<8x16xf32>) {
  %w = npu.constant dense<1.0> : tensor<16x8xf32>
  %a = npu.add %x, %w : tensor<16x8xf32>
  %t = npu.transpose %w permutation = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %b = npu.add %y, %t : tensor<8x16xf32>
  func.return %a, %b : tensor<16x8xf32>, tensor<8x16xf32>
}

// -----

/// A row of few bytes is transposed rather than a large constant is kept in two orders.
func.func @one_order(%x: tensor<16x8xf32>, %y: tensor<2x4xf32>) -> (tensor<16x8xf32>, tensor<2x4xf32>) {
  %w = npu.constant dense<1.0> : tensor<16x8xf32>
  %a = npu.add %x, %w : tensor<16x8xf32>
  func.return %a, %y : tensor<16x8xf32>, tensor<2x4xf32>
}

// -----

/// One order costs nothing, whatever it is: the convolution reads its kernel as HWOI.
func.func @any_order(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>> {
  %k = npu.constant dense<1.0> : tensor<16x8x1x1xf32, #npu.layout<OIHW>>
  %r = npu.conv2d %x, %k : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<16x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x4x16xf32, #npu.layout<NHWC>>
  func.return %r : tensor<1x4x4x16xf32, #npu.layout<NHWC>>
}

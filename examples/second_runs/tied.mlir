// One table of weights is added to three images, two of which have its axes the other way round.
func.func @main(%x: tensor<16x8xf32>, %y: tensor<8x16xf32>, %z: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %w = npu.constant dense<0.5> : tensor<16x8xf32>
  %turned = npu.transpose %w permutation = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %first = npu.add %x, %w : tensor<16x8xf32>
  %second = npu.add %y, %turned : tensor<8x16xf32>
  %z_turned = npu.transpose %z permutation = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %third = npu.add %z_turned, %turned : tensor<8x16xf32>
  func.return %first, %second, %third : tensor<16x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

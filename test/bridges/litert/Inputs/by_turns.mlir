func.func @main(%x: tensor<3x5x2x6x4xf32>, %y: tensor<3x1x2x1x4xf32>) -> tensor<3x5x2x6x4xf32> {
  %sum = npu.add %x, %y : (tensor<3x5x2x6x4xf32>, tensor<3x1x2x1x4xf32>) -> tensor<3x5x2x6x4xf32>
  func.return %sum : tensor<3x5x2x6x4xf32>
}

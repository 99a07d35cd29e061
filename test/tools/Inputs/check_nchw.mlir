func.func @main(%x: tensor<1x8x4x6xf32>, %w: tensor<2x8x1x1xf32>) -> tensor<1x2x4x6xf32> {
  %conv = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<2x8x1x1xf32>) -> tensor<1x2x4x6xf32>
  %softmax = npu.softmax %conv axis = 1 : tensor<1x2x4x6xf32>
  func.return %softmax : tensor<1x2x4x6xf32>
}

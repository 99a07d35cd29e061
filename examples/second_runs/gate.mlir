// One number for each channel gates two images. The convolution reads its image channels last.
func.func @main(%gate: tensor<1x8x1x1xf32>, %image: tensor<1x8x16x16xf32>) -> (tensor<1x8x16x16xf32>, tensor<1x8x16x16xf32>) {
  %wide = npu.broadcast %gate axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<1x8x16x16xf32>
  %kernel = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %conv = npu.conv2d %wide, %kernel data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x16x16xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x16x16xf32>
  %sum = npu.add %wide, %image : tensor<1x8x16x16xf32>
  func.return %conv, %sum : tensor<1x8x16x16xf32>, tensor<1x8x16x16xf32>
}

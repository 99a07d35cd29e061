func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.5> : tensor<8x8x1x1xf32>
  %y = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %z = npu.relu %y : tensor<1x8x4x6xf32>
  func.return %z : tensor<1x8x4x6xf32>
}

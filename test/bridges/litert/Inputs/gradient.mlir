func.func @main(%x: tensor<1x2x4x4xf32>, %g: tensor<1x3x4x4xf32>) -> tensor<3x2x1x1xf32> {

  %w = npu.conv2d_bpw %x, %g data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<3x2x1x1xf32>
  func.return %w : tensor<3x2x1x1xf32>
}

// Two branches that meet: a convolution that the hardware wants in NHWC, and an input that stays in NCHW. Nothing is
// coloured yet; only the convolution says which layouts its operands have. The second reshape of the first branch is
// never used.

func.func @main(%input1: tensor<1x8x4x6xf32>, %input3: tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32> {
  %kernel = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %conv = npu.conv2d %input1, %kernel data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  %unused = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  %reshape1 = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %reshape2 = npu.reshape %input3 : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %add = npu.add %reshape1, %reshape2 : tensor<1x8x24xf32>
  func.return %add : tensor<1x8x24xf32>
}

// The same program for hardware that wants NHWC and HWOI, placed by hand. Every value says in its type what its axes are
// and how they are stored. Leave out the second transpose and the program does not verify.

func.func @main(%input1: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %input3: tensor<1x8x4x6xf32, #npu.layout<NCHW>>)
    -> tensor<1x8x24xf32, #npu.layout<Tensor>> {
  %kernel = npu.constant dense<0.125> : tensor<1x1x8x8xf32, #npu.layout<HWOI>>
  %nhwc = npu.transpose %input1 permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %conv = npu.conv2d %nhwc, %kernel
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %nchw = npu.transpose %conv permutation = [0, 3, 1, 2]
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %reshape1 = npu.reshape %nchw
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %reshape2 = npu.reshape %input3
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24xf32, #npu.layout<Tensor>>
  %add = npu.add %reshape1, %reshape2
    : tensor<1x8x24xf32, #npu.layout<Tensor>>
  func.return %add : tensor<1x8x24xf32, #npu.layout<Tensor>>
}

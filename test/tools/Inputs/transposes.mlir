func.func @first(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
  %a = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %b = npu.transpose %a permutation = [0, 3, 2, 1]
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  func.return %b : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
}

// -----

func.func @second(%y: tensor<?x33xi4>) -> tensor<33x?xi4> {
  %t = npu.transpose %y permutation = [1, 0] : (tensor<?x33xi4>) -> tensor<33x?xi4>
  func.return %t : tensor<33x?xi4>
}

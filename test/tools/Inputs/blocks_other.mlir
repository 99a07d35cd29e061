func.func @main(%x: tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> (tensor<1x8x8x40xf32, #npu.layout<NHWC>>, tensor<1x8x8x5x8xf32, #npu.layout<NHWC8c>>) {
  %ones = npu.constant dense<2.0> : tensor<1x1x1x40xf32, #npu.layout<NHWC>>
  %sum = npu.add %x, %ones : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>, tensor<1x1x1x40xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x40xf32, #npu.layout<NHWC>>
  %y = npu.exp %sum : tensor<1x8x8x40xf32, #npu.layout<NHWC>>
  %pieces = npu.reshape %y : (tensor<1x8x8x40xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x5x8xf32, #npu.layout<Tensor, [0, 3, 4, 1, 2]>>
  %blocks = npu.relabel %pieces : (tensor<1x8x8x5x8xf32, #npu.layout<Tensor, [0, 3, 4, 1, 2]>>) -> tensor<1x8x8x5x8xf32, #npu.layout<NHWC8c>>
  return %y, %blocks : tensor<1x8x8x40xf32, #npu.layout<NHWC>>, tensor<1x8x8x5x8xf32, #npu.layout<NHWC8c>>
}

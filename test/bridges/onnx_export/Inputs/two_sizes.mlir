func.func @main(%x: tensor<1x16x8x8xf32, #npu.layout<NCHW>>) -> (tensor<1x2x8x8x8xf32, #npu.layout<NCHW8c>>, tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c>>) {
  %y = npu.pack %x : (tensor<1x16x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x2x8x8x8xf32, #npu.layout<NCHW8c>>
  %z = npu.pack %x : (tensor<1x16x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c>>
  func.return %y, %z : tensor<1x2x8x8x8xf32, #npu.layout<NCHW8c>>, tensor<1x1x8x8x16xf32, #npu.layout<NCHW16c>>
}

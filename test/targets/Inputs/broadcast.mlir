func.func @main(%x: tensor<3x4xf32, #npu.layout<Tensor>>) -> tensor<5xf32, #npu.layout<Tensor>> {
  %r = npu.broadcast %x axes = [1, 2] : (tensor<3x4xf32, #npu.layout<Tensor>>) -> tensor<5x3x4xf32, #npu.layout<Tensor>>
  %s = npu.softmax %r axis = 1 : tensor<5x3x4xf32, #npu.layout<Tensor>>
  %y = npu.reduce_sum %s axes = [1, 2] : (tensor<5x3x4xf32, #npu.layout<Tensor>>) -> tensor<5xf32, #npu.layout<Tensor>>
  func.return %y : tensor<5xf32, #npu.layout<Tensor>>
}

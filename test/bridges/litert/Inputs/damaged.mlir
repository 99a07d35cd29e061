func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = npu.opaque "litert.ATAN2"(%x, %x) pure {litert.operator = dense<255> : tensor<8xui8>, litert.version = 1 : i64}
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

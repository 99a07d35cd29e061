func.func @main(%y: tensor<2x3xf32>, %x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %z = npu.opaque "litert.ATAN2"(%y, %x) pure {
    litert.operator = dense<[20, 0, 0, 0, 0, 0, 14, 0, 20, 0, 0, 0, 16, 0, 12, 0, 11, 0, 4, 0, 14, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 122, 16, 0, 0, 0, 16, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<56xui8>,
    litert.version = 1 : i64
  } : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}

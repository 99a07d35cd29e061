func.func @main(%x: tensor<?x5x2x6x4xf32>, %y: tensor<?x1x2x1x4xf32>) -> tensor<?x5x2x6x4xf32> {
  %sum = npu.add %x, %y : (tensor<?x5x2x6x4xf32>, tensor<?x1x2x1x4xf32>) -> tensor<?x5x2x6x4xf32>
  func.return %sum : tensor<?x5x2x6x4xf32>
}

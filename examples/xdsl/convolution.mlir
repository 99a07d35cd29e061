func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x12x4x4xf32> {
  %kernel = arith.constant dense<0.5> : tensor<1x1x2x12xf32>
  %e0 = tensor.empty() : tensor<1x4x4x2xf32>
  %nhwc = linalg.transpose ins(%x : tensor<1x2x4x4xf32>) outs(%e0 : tensor<1x4x4x2xf32>) permutation = [0, 2, 3, 1]
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1x4x4x12xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x4x4x12xf32>) -> tensor<1x4x4x12xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%nhwc, %kernel : tensor<1x4x4x2xf32>, tensor<1x1x2x12xf32>)
    outs(%zeros : tensor<1x4x4x12xf32>) -> tensor<1x4x4x12xf32>
  %e2 = tensor.empty() : tensor<1x12x4x4xf32>
  %nchw = linalg.transpose ins(%conv : tensor<1x4x4x12xf32>) outs(%e2 : tensor<1x12x4x4xf32>) permutation = [0, 3, 1, 2]
  return %nchw : tensor<1x12x4x4xf32>
}

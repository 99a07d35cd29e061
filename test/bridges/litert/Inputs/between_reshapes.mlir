// In @main, in order: no reshape is left, one is left, and two are.
func.func @main(%x: tensor<1x1x4x6xf32>, %y: tensor<4x6xf32>) -> (tensor<1x1x4x6xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) {
  %half = npu.constant dense<0.5> : tensor<f32>
  %a = npu.reshape %x : (tensor<1x1x4x6xf32>) -> tensor<1x4x6x1xf32>
  %b = npu.sigmoid %a : tensor<1x4x6x1xf32>
  %c = npu.mul %half, %b : (tensor<f32>, tensor<1x4x6x1xf32>) -> tensor<1x4x6x1xf32>
  %none = npu.reshape %c : (tensor<1x4x6x1xf32>) -> tensor<1x1x4x6xf32>
  %d = npu.reshape %x : (tensor<1x1x4x6xf32>) -> tensor<2x12xf32>
  %e = npu.tanh %d : tensor<2x12xf32>
  %one = npu.reshape %e : (tensor<2x12xf32>) -> tensor<24xf32>
  %f = npu.reshape %x : (tensor<1x1x4x6xf32>) -> tensor<4x6xf32>
  %g = npu.add %f, %y : tensor<4x6xf32>
  %two = npu.reshape %g : (tensor<4x6xf32>) -> tensor<24xf32>
  %h = npu.reshape %y : (tensor<4x6xf32>) -> tensor<3x8xf32>
  %i = npu.exp %h : tensor<3x8xf32>
  %j = npu.softmax %i axis = 1 : tensor<3x8xf32>
  %others = npu.reshape %j : (tensor<3x8xf32>) -> tensor<24xf32>
  func.return %none, %one, %two, %others : tensor<1x1x4x6xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>
}

builtin.module {
  func.func private @other(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %y = npu.tanh %x : tensor<4x6xf32>
    func.return %y : tensor<4x6xf32>
  }
  func.func @main(%x: tensor<4x6xf32> {npu.name = "x"}, %unused: tensor<2xf32>) -> (tensor<6x4xf32>, tensor<4x6xf32>) {
    %c = npu.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<6xf32>
    %row = npu.reshape %c : (tensor<6xf32>) -> tensor<1x6xf32>
    %a = npu.add %x, %row : (tensor<4x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
    %b = npu.softmax %a axis = 1 {npu.note = "text"} : tensor<4x6xf32>
    %d = npu.relu %b : tensor<4x6xf32>
    %e = func.call @other(%d) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %t = npu.transpose %e permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    func.return %t, %d : tensor<6x4xf32>, tensor<4x6xf32>
  }
}

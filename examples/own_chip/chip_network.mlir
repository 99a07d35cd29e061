// Convolution, batch norm and relu6; a pooling; and the same three once more. docs/your_chip.md runs it on chip.toml.

func.func @main(%image: tensor<1x8x16x16xf32>) -> tensor<1x8x8x8xf32> {
  %kernel = npu.constant dense<0.125> : tensor<8x8x3x3xf32>
  %one = npu.constant dense<1.0> : tensor<8xf32>
  %zero = npu.constant dense<0.0> : tensor<8xf32>
  %conv1 = npu.conv2d %image, %kernel pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x16x16xf32>
  %norm1 = npu.batch_norm %conv1, %one, %zero, %zero, %one axis = 1
    : (tensor<1x8x16x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x16x16xf32>
  %relu1 = npu.clip %norm1 min = 0.0 max = 6.0 : tensor<1x8x16x16xf32>
  %pool = npu.max_pool %relu1 window = [2, 2] strides = [2, 2] data_layout = <NCHW>
    : (tensor<1x8x16x16xf32>) -> tensor<1x8x8x8xf32>
  %conv2 = npu.conv2d %pool, %kernel pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x8x8xf32>
  %norm2 = npu.batch_norm %conv2, %one, %zero, %zero, %one axis = 1
    : (tensor<1x8x8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x8x8xf32>
  %relu2 = npu.clip %norm2 min = 0.0 max = 6.0 : tensor<1x8x8x8xf32>
  func.return %relu2 : tensor<1x8x8x8xf32>
}

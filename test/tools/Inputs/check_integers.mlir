func.func @main(%x: tensor<1x3x8x8xui8>, %w: tensor<4x3x3x3xi8>, %b: tensor<4xi32>) -> tensor<1x4x8x8xui8> {
  %xs = npu.constant dense<0.5> : tensor<f32>
  %xz = npu.constant dense<3> : tensor<ui8>
  %ws = npu.constant dense<[0.5, 0.25, 0.125, 2.0]> : tensor<4xf32>
  %wz = npu.constant dense<0> : tensor<4xi8>
  %ys = npu.constant dense<4.0> : tensor<f32>
  %yz = npu.constant dense<7> : tensor<ui8>
  %y = npu.quant_conv2d %x, %w, %xs, %xz, %ws, %wz, %ys, %yz, %b pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
      : (tensor<1x3x8x8xui8>, tensor<4x3x3x3xi8>, tensor<f32>, tensor<ui8>,
         tensor<4xf32>, tensor<4xi8>, tensor<f32>, tensor<ui8>, tensor<4xi32>) -> tensor<1x4x8x8xui8>
  return %y : tensor<1x4x8x8xui8>
}

// RUN: npu-opt %s --target=torch --layout-optimal | filecheck %s
// RUN: npu-opt %s --target=torch --layout-optimal | npu-opt --target=torch --layout-optimal | filecheck %s
// RUN: npu-opt %s --target=onnx --layout-optimal | filecheck --check-prefix=ANY %s

/// A target without attention of rows in front of heads keeps the transposes around one; others read the rows first.
// CHECK-LABEL: func.func @around
// CHECK-NEXT:    %q = npu.transpose
// CHECK-NEXT:    %k = npu.transpose
// CHECK-NEXT:    %v = npu.transpose
// CHECK-NEXT:    %y = npu.attention %q, %k, %v scale = 5.000000e-01 : tensor<1x2x8x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %t = npu.transpose %y permutation = [0, 2, 1, 3]
// CHECK-NEXT:    func.return %t
// ANY-LABEL:   func.func @around
// ANY-NEXT:      %q = npu.relabel %x
// ANY-NEXT:      %k = npu.relabel %z
// ANY-NEXT:      %v = npu.relabel %u
// ANY-NEXT:      %y = npu.attention %q, %k, %v scale = 5.000000e-01 query_axes = "BNHC" key_axes = "BNHC" value_axes = "BNHC" result_axes = "BNHC" : tensor<1x8x2x4xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>
// ANY-NEXT:      %t = npu.relabel %y
// ANY-NEXT:      func.return %t
func.func @around(%x: tensor<1x8x2x4xf32, #npu.layout<NTensor>>, %z: tensor<1x8x2x4xf32, #npu.layout<NTensor>>, %u: tensor<1x8x2x4xf32, #npu.layout<NTensor>>) -> tensor<1x8x2x4xf32, #npu.layout<NTensor>> {
  %q = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<1x8x2x4xf32, #npu.layout<NTensor>>) -> tensor<1x2x8x4xf32, #npu.layout<NTensor>>
  %k = npu.transpose %z permutation = [0, 2, 1, 3] : (tensor<1x8x2x4xf32, #npu.layout<NTensor>>) -> tensor<1x2x8x4xf32, #npu.layout<NTensor>>
  %v = npu.transpose %u permutation = [0, 2, 1, 3] : (tensor<1x8x2x4xf32, #npu.layout<NTensor>>) -> tensor<1x2x8x4xf32, #npu.layout<NTensor>>
  %y = npu.attention %q, %k, %v scale = 5.000000e-01 : (tensor<1x2x8x4xf32, #npu.layout<NTensor>>, tensor<1x2x8x4xf32, #npu.layout<NTensor>>, tensor<1x2x8x4xf32, #npu.layout<NTensor>>) -> tensor<1x2x8x4xf32, #npu.layout<NTensor>>
  %t = npu.transpose %y permutation = [0, 2, 1, 3] : (tensor<1x2x8x4xf32, #npu.layout<NTensor>>) -> tensor<1x8x2x4xf32, #npu.layout<NTensor>>
  return %t : tensor<1x8x2x4xf32, #npu.layout<NTensor>>
}

/// An op with the rows in front gets the form that the target has.
// CHECK-LABEL: func.func @rows_first
// CHECK-NEXT:    %x_1 = npu.transpose
// CHECK-NEXT:    %z_1 = npu.transpose
// CHECK-NEXT:    %u_1 = npu.transpose
// CHECK-NEXT:    %y = npu.attention %x_1, %z_1, %u_1 scale = 5.000000e-01 : tensor<1x2x8x4xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 1, 3] : (tensor<1x2x8x4xf32, #npu.layout<NTensor, [0, 2, 1, 3]>>) -> tensor<1x8x2x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %y_1
// ANY-LABEL:   func.func @rows_first
// ANY-NEXT:      %y = npu.attention %x, %z, %u scale = 5.000000e-01 query_axes = "BNHC" key_axes = "BNHC" value_axes = "BNHC" result_axes = "BNHC"
func.func @rows_first(%x: tensor<1x8x2x4xf32, #npu.layout<NTensor>>, %z: tensor<1x8x2x4xf32, #npu.layout<NTensor>>, %u: tensor<1x8x2x4xf32, #npu.layout<NTensor>>) -> tensor<1x8x2x4xf32, #npu.layout<NTensor>> {
  %y = npu.attention %x, %z, %u scale = 5.000000e-01 query_axes = "BNHC" key_axes = "BNHC" value_axes = "BNHC" result_axes = "BNHC" : (tensor<1x8x2x4xf32, #npu.layout<NTensor>>, tensor<1x8x2x4xf32, #npu.layout<NTensor>>, tensor<1x8x2x4xf32, #npu.layout<NTensor>>) -> tensor<1x8x2x4xf32, #npu.layout<NTensor>>
  return %y : tensor<1x8x2x4xf32, #npu.layout<NTensor>>
}

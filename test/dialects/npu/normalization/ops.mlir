// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Along one axis.
// CHECK-LABEL: func.func @softmax(
func.func @softmax(%x: tensor<1x12x64x64xf32>, %y: tensor<8x1000xf16>, %d: tensor<?x?xf32>) {
  // CHECK-NEXT: %softmax = npu.softmax %x axis = 3 : tensor<1x12x64x64xf32>
  %softmax = npu.softmax %x axis = 3 : tensor<1x12x64x64xf32>
  // CHECK-NEXT: %softmax2 = npu.softmax %x axis = 0 : tensor<1x12x64x64xf32>
  %softmax2 = npu.softmax %x axis = 0 : tensor<1x12x64x64xf32>
  // CHECK-NEXT: %log_softmax = npu.log_softmax %y axis = 1 : tensor<8x1000xf16>
  %log_softmax = npu.log_softmax %y axis = 1 : tensor<8x1000xf16>
  // CHECK-NEXT: %hardmax = npu.hardmax %y axis = 1 : tensor<8x1000xf16>
  %hardmax = npu.hardmax %y axis = 1 : tensor<8x1000xf16>
  // CHECK-NEXT: %softmax3 = npu.softmax %d axis = 1 : (tensor<?x?xf32>) -> tensor<?x10xf32>
  %softmax3 = npu.softmax %d axis = 1 : (tensor<?x?xf32>) -> tensor<?x10xf32>
  return
}

/// The axis is a physical position, in every class.
// CHECK-LABEL: func.func @softmax_layouts(
func.func @softmax_layouts(
  %n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %c: tensor<1x16x8x8xf32, #npu.layout<NCHW>>,
  %t: tensor<64x12xf32, #npu.layout<Tensor, [1, 0]>>, %b: tensor<8x12x12xf32, #npu.layout<NTensor>>
) {
  // CHECK-NEXT: %softmax = npu.softmax %n axis = 3 : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %softmax = npu.softmax %n axis = 3
    : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %softmax2 = npu.softmax %c axis = 1 : tensor<1x16x8x8xf32, #npu.layout<NCHW>>
  %softmax2 = npu.softmax %c axis = 1
    : tensor<1x16x8x8xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %log_softmax = npu.log_softmax %t axis = 0 : tensor<64x12xf32, #npu.layout<Tensor, [1, 0]>>
  %log_softmax = npu.log_softmax %t axis = 0
    : tensor<64x12xf32, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %softmax3 = npu.softmax %b axis = 2 : tensor<8x12x12xf32, #npu.layout<NTensor>>
  %softmax3 = npu.softmax %b axis = 2
    : tensor<8x12x12xf32, #npu.layout<NTensor>>
  return
}

/// The norm is that of p = 2, which is not printed, or of p = 1.
// CHECK-LABEL: func.func @lp_norm(
func.func @lp_norm(%x: tensor<8x512xf32>, %n: tensor<1x8x8x16xbf16, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %lp_norm = npu.lp_norm %x axis = 1 : tensor<8x512xf32>
  %lp_norm = npu.lp_norm %x axis = 1 : tensor<8x512xf32>
  // CHECK-NEXT: %lp_norm2 = npu.lp_norm %x axis = 1 : tensor<8x512xf32>
  %lp_norm2 = npu.lp_norm %x axis = 1 p = 2 : tensor<8x512xf32>
  // CHECK-NEXT: %lp_norm3 = npu.lp_norm %x axis = 1 p = 1 : tensor<8x512xf32>
  %lp_norm3 = npu.lp_norm %x axis = 1 p = 1 : tensor<8x512xf32>
  // CHECK-NEXT: %lp_norm4 = npu.lp_norm %n axis = 3 : tensor<1x8x8x16xbf16, #npu.layout<NHWC>>
  %lp_norm4 = npu.lp_norm %n axis = 3
    : tensor<1x8x8x16xbf16, #npu.layout<NHWC>>
  return
}

/// Without scale and bias.
// CHECK-LABEL: func.func @tensor_norm(
func.func @tensor_norm(%n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %x: tensor<?x4xf64>) {
  // CHECK-NEXT: %tensor_norm = npu.tensor_norm %n axes = [1, 2] : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %tensor_norm = npu.tensor_norm %n axes = [1, 2]
    : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %tensor_norm2 = npu.tensor_norm %n axes = [3, 1, 2] epsilon = 1.000000e-03 : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %tensor_norm2 = npu.tensor_norm %n axes = [3, 1, 2] epsilon = 1.0e-3
    : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %tensor_norm3 = npu.tensor_norm %x axes = [0] : tensor<?x4xf64>
  %tensor_norm3 = npu.tensor_norm %x axes = [0] epsilon = 1.0e-5 : tensor<?x4xf64>
  // CHECK-NEXT: %tensor_norm4 = npu.tensor_norm %x axes = [0] epsilon = 0.000000e+00 : tensor<?x4xf64>
  %tensor_norm4 = npu.tensor_norm %x axes = [0] epsilon = 0.0 : tensor<?x4xf64>
  return
}

/// Scale, bias, both, none; repeated along unit axes, or of one element.
// CHECK-LABEL: func.func @layer_norm(
func.func @layer_norm(
  %x: tensor<1x64x768xf32>, %s: tensor<1x1x768xf32>, %b: tensor<1x1x768xf32>, %o: tensor<f32>,
  %f: tensor<1x64x768xf32>, %d: tensor<?x768xf16>, %e: tensor<1x?xf16>
) {
  // CHECK-NEXT: %layer_norm = npu.layer_norm %x axes = [2] : tensor<1x64x768xf32>
  %layer_norm = npu.layer_norm %x axes = [2] : tensor<1x64x768xf32>
  // CHECK-NEXT: %layer_norm2 = npu.layer_norm %x scale(%s : tensor<1x1x768xf32>) axes = [2] : tensor<1x64x768xf32>
  %layer_norm2 = npu.layer_norm %x scale(%s : tensor<1x1x768xf32>) axes = [2]
    : tensor<1x64x768xf32>
  // CHECK-NEXT: %layer_norm3 = npu.layer_norm %x bias(%b : tensor<1x1x768xf32>) axes = [2] : tensor<1x64x768xf32>
  %layer_norm3 = npu.layer_norm %x bias(%b : tensor<1x1x768xf32>) axes = [2]
    : tensor<1x64x768xf32>
  // CHECK-NEXT: %layer_norm4 = npu.layer_norm %x scale(%s : tensor<1x1x768xf32>) bias(%b : tensor<1x1x768xf32>) axes = [1, 2] epsilon = 1.000000e-06 : tensor<1x64x768xf32>
  %layer_norm4 = npu.layer_norm %x scale(%s : tensor<1x1x768xf32>) bias(%b : tensor<1x1x768xf32>) axes = [1, 2] epsilon = 1.0e-6
    : tensor<1x64x768xf32>
  // CHECK-NEXT: %layer_norm5 = npu.layer_norm %x scale(%o : tensor<f32>) bias(%f : tensor<1x64x768xf32>) axes = [2] : tensor<1x64x768xf32>
  %layer_norm5 = npu.layer_norm %x scale(%o : tensor<f32>) bias(%f : tensor<1x64x768xf32>) axes = [2]
    : tensor<1x64x768xf32>
  // CHECK-NEXT: %layer_norm6 = npu.layer_norm %d scale(%e : tensor<1x?xf16>) axes = [1] : tensor<?x768xf16>
  %layer_norm6 = npu.layer_norm %d scale(%e : tensor<1x?xf16>) axes = [1] : tensor<?x768xf16>
  return
}

/// Scale and bias have the layout of the input; one element fits every order, uncoloured values every layout.
// CHECK-LABEL: func.func @layer_norm_layouts(
func.func @layer_norm_layouts(
  %x: tensor<1x768x64xf32, #npu.layout<Tensor, [0, 2, 1]>>, %s: tensor<1x768x1xf32, #npu.layout<Tensor, [0, 2, 1]>>,
  %o: tensor<1x1x1xf32, #npu.layout<NTensor>>, %n: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %u: tensor<1x1x1x16xf32>
) {
  // CHECK-NEXT: %layer_norm = npu.layer_norm %x scale(%s : tensor<1x768x1xf32, #npu.layout<Tensor, [0, 2, 1]>>) bias(%o : tensor<1x1x1xf32, #npu.layout<NTensor>>) axes = [1] : tensor<1x768x64xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %layer_norm = npu.layer_norm %x scale(%s : tensor<1x768x1xf32, #npu.layout<Tensor, [0, 2, 1]>>) bias(%o : tensor<1x1x1xf32, #npu.layout<NTensor>>) axes = [1]
    : tensor<1x768x64xf32, #npu.layout<Tensor, [0, 2, 1]>>
  // CHECK-NEXT: %layer_norm2 = npu.layer_norm %n scale(%u : tensor<1x1x1x16xf32>) axes = [3] : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %layer_norm2 = npu.layer_norm %n scale(%u : tensor<1x1x1x16xf32>) axes = [3]
    : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  return
}

/// The factors have defaults, the axis is a stored one.
// CHECK-LABEL: func.func @lrn(
func.func @lrn(%x: tensor<1x96x27x27xf32>, %n: tensor<1x27x27x96xf32, #npu.layout<NHWC>>) {
  // CHECK-NEXT: %lrn = npu.lrn %x axis = 1 size = 5 : tensor<1x96x27x27xf32>
  %lrn = npu.lrn %x axis = 1 size = 5 : tensor<1x96x27x27xf32>
  // CHECK-NEXT: %lrn2 = npu.lrn %n axis = 3 size = 4 alpha = 5.000000e-01 beta = 1.000000e+00 bias = 2.000000e+00 : tensor<1x27x27x96xf32, #npu.layout<NHWC>>
  %lrn2 = npu.lrn %n axis = 3 size = 4 alpha = 0.5 beta = 1.0 bias = 2.0 : tensor<1x27x27x96xf32, #npu.layout<NHWC>>
  return
}

/// The same without bias and mean.
// CHECK-LABEL: func.func @rms_norm(
func.func @rms_norm(
  %x: tensor<1x64x768xf32>, %s: tensor<1x1x768xf32>, %o: tensor<1xf32>,
  %t: tensor<768x64xf32, #npu.layout<Tensor, [1, 0]>>, %v: tensor<768x1xf32, #npu.layout<Tensor, [1, 0]>>
) {
  // CHECK-NEXT: %rms_norm = npu.rms_norm %x axes = [2] : tensor<1x64x768xf32>
  %rms_norm = npu.rms_norm %x axes = [2] : tensor<1x64x768xf32>
  // CHECK-NEXT: %rms_norm2 = npu.rms_norm %x, %s axes = [2] : (tensor<1x64x768xf32>, tensor<1x1x768xf32>) -> tensor<1x64x768xf32>
  %rms_norm2 = npu.rms_norm %x, %s axes = [2] : (tensor<1x64x768xf32>, tensor<1x1x768xf32>) -> tensor<1x64x768xf32>
  // CHECK-NEXT: %rms_norm3 = npu.rms_norm %x, %o axes = [2] epsilon = 1.000000e-06 : (tensor<1x64x768xf32>, tensor<1xf32>) -> tensor<1x64x768xf32>
  %rms_norm3 = npu.rms_norm %x, %o axes = [2] epsilon = 1.0e-6
    : (tensor<1x64x768xf32>, tensor<1xf32>) -> tensor<1x64x768xf32>
  // CHECK-NEXT: %rms_norm4 = npu.rms_norm %t, %v axes = [0] : (tensor<768x64xf32, #npu.layout<Tensor, [1, 0]>>, tensor<768x1xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<768x64xf32, #npu.layout<Tensor, [1, 0]>>
  %rms_norm4 = npu.rms_norm %t, %v axes = [0]
    : (tensor<768x64xf32, #npu.layout<Tensor, [1, 0]>>, tensor<768x1xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<768x64xf32, #npu.layout<Tensor, [1, 0]>>
  return
}

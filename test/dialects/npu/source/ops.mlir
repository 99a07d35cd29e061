// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Every element type.
// CHECK-LABEL: func.func @elements(
func.func @elements() {
  // CHECK-NEXT: %i1 = npu.constant dense<[true, false]> : tensor<2xi1>
  %i1 = npu.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-NEXT: %i4 = npu.constant dense<[7, -8]> : tensor<2xi4>
  %i4 = npu.constant dense<[7, -8]> : tensor<2xi4>
  // CHECK-NEXT: %i8 = npu.constant dense<[127, -128]> : tensor<2xi8>
  %i8 = npu.constant dense<[127, -128]> : tensor<2xi8>
  // CHECK-NEXT: %ui8 = npu.constant dense<[0, 255]> : tensor<2xui8>
  %ui8 = npu.constant dense<[0, 255]> : tensor<2xui8>
  // CHECK-NEXT: %si16 = npu.constant dense<[32767, -32768]> : tensor<2xsi16>
  %si16 = npu.constant dense<[32767, -32768]> : tensor<2xsi16>
  // CHECK-NEXT: %ui16 = npu.constant dense<65535> : tensor<1xui16>
  %ui16 = npu.constant dense<65535> : tensor<1xui16>
  // CHECK-NEXT: %i32 = npu.constant dense<-2147483648> : tensor<1xi32>
  %i32 = npu.constant dense<-2147483648> : tensor<1xi32>
  // CHECK-NEXT: %ui32 = npu.constant dense<4294967295> : tensor<1xui32>
  %ui32 = npu.constant dense<4294967295> : tensor<1xui32>
  // CHECK-NEXT: %i64 = npu.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
  %i64 = npu.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
  // CHECK-NEXT: %bf16 = npu.constant dense<[1.500000e+00, -0.000000e+00]> : tensor<2xbf16>
  %bf16 = npu.constant dense<[1.5, -0.0]> : tensor<2xbf16>
  // CHECK-NEXT: %f16 = npu.constant dense<[6.550400e+04, 6.103520e-05]> : tensor<2xf16>
  %f16 = npu.constant dense<[65504.0, 6.103515625e-05]> : tensor<2xf16>
  // CHECK-NEXT: %f32 = npu.constant dense<[1.000000e-01, -3.000000e+38]> : tensor<2xf32>
  %f32 = npu.constant dense<[0.1, -3.0e38]> : tensor<2xf32>
  // CHECK-NEXT: %f64 = npu.constant dense<[1.000000e-01, 1.000000e+300]> : tensor<2xf64>
  %f64 = npu.constant dense<[0.1, 1.0e300]> : tensor<2xf64>
  return
}

/// Infinities and NaN are written as bits.
// CHECK-LABEL: func.func @no_numbers(
func.func @no_numbers() {
  // CHECK-NEXT: %f32 = npu.constant dense<[0x7f800000, 0xff800000, 0x7fc00000]> : tensor<3xf32>
  %f32 = npu.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  // CHECK-NEXT: %f16 = npu.constant dense<[0x7c00, 0xfc00, 0x7e00]> : tensor<3xf16>
  %f16 = npu.constant dense<[0x7C00, 0xFC00, 0x7E00]> : tensor<3xf16>
  // CHECK-NEXT: %bf16 = npu.constant dense<[0x7f80, 0xff80, 0x7fc0]> : tensor<3xbf16>
  %bf16 = npu.constant dense<[0x7F80, 0xFF80, 0x7FC0]> : tensor<3xbf16>
  return
}

/// One number, a splat, no numbers, and a shape of several dimensions.
// CHECK-LABEL: func.func @shapes(
func.func @shapes() {
  // CHECK-NEXT: %scalar = npu.constant dense<2.000000e+00> : tensor<f32>
  %scalar = npu.constant dense<2.0> : tensor<f32>
  // CHECK-NEXT: %splat = npu.constant dense<1.000000e+00> : tensor<2x3xf32>
  %splat = npu.constant dense<1.0> : tensor<2x3xf32>
  // CHECK-NEXT: %none = npu.constant dense<> : tensor<0x3xf32>
  %none = npu.constant dense<> : tensor<0x3xf32>
  // CHECK-NEXT: %nested = npu.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  %nested = npu.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  return
}

/// Numbers are in stored order; the layout has the meaning of the axes. Attributes may be before the value.
// CHECK-LABEL: func.func @layouts(
func.func @layouts() {
  // CHECK-NEXT: %hwoi = npu.constant dense<[[[[1.000000e+00], [2.000000e+00]]]]> : tensor<1x1x2x1xf32, #npu.layout<HWOI>>
  %hwoi = npu.constant dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32, #npu.layout<HWOI>>
  // CHECK-NEXT: %re_ordered = npu.constant {origin = "fc.weight", trained} dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8, #npu.layout<Tensor, [1, 0]>>
  %re_ordered = npu.constant {origin = "fc.weight", trained} dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8, #npu.layout<Tensor, [1, 0]>>
  return
}

/// Numbers in a file, unchanged, or with axes permuted when they are loaded.
// CHECK-LABEL: func.func @references(
func.func @references() {
  // CHECK-NEXT: %a = npu.constant #npu.reference<"w.safetensors", "fc.bias"> : tensor<64xf32>
  %a = npu.constant #npu.reference<"w.safetensors", "fc.bias"> : tensor<64xf32>
  // CHECK-NEXT: %b = npu.constant #npu.reference<"w.safetensors", "conv1.weight", [2, 3, 0, 1]> : tensor<3x3x8x4xf32, #npu.layout<HWOI>>
  %b = npu.constant #npu.reference<"w.safetensors", "conv1.weight", [2, 3, 0, 1]> : tensor<3x3x8x4xf32, #npu.layout<HWOI>>
  // CHECK-NEXT: %r = npu.constant #npu.reference<"w.safetensors", "fc1.weight", reshaped [0, 2, 1]> : tensor<64x36x256xf32>
  %r = npu.constant #npu.reference<"w.safetensors", "fc1.weight", reshaped [0, 2, 1]> : tensor<64x36x256xf32>
  // CHECK-NEXT: %c = npu.constant {trained} #npu.reference<"w.safetensors", "scale", []> : tensor<bf16>
  %c = npu.constant {trained} #npu.reference<"w.safetensors", "scale", []> : tensor<bf16>
  // CHECK-NEXT: %d = npu.constant #npu.reference<"dir/a b.safetensors", "", [0, 1]> : tensor<0x4xui8, #npu.layout<Tensor>>
  %d = npu.constant #npu.reference<"dir/a b.safetensors", "", [0, 1]> : tensor<0x4xui8, #npu.layout<Tensor>>
  return
}

/// A foreign op keeps its attributes. Without `pure` its effects are unknown.
// CHECK-LABEL: func.func @opaque(
func.func @opaque(%x: tensor<8x1x3xf32>, %w: tensor<1x16x3xf32, #npu.layout<Tensor>>, %n: tensor<?x?xi1>) {
  // CHECK-NEXT: %y, %h = npu.opaque "onnx.LSTM"(%x, %w) pure {hidden_size = 4 : i64, activations = ["Sigmoid", "Tanh"], direction = #npu.layout<NHWC>} : (tensor<8x1x3xf32>, tensor<1x16x3xf32, #npu.layout<Tensor>>) -> (tensor<8x1x1x4xf32, #npu.layout<NCHW>>, tensor<1x1x4xf32>)
  %y, %h = npu.opaque "onnx.LSTM"(%x, %w) pure {hidden_size = 4 : i64, activations = ["Sigmoid", "Tanh"], direction = #npu.layout<NHWC>}
    : (tensor<8x1x3xf32>, tensor<1x16x3xf32, #npu.layout<Tensor>>) -> (tensor<8x1x1x4xf32, #npu.layout<NCHW>>, tensor<1x1x4xf32>)
  // CHECK-NEXT: %one = npu.opaque "onnx.NonZero"(%n) : (tensor<?x?xi1>) -> tensor<2x?xi64>
  %one = npu.opaque "onnx.NonZero"(%n) : (tensor<?x?xi1>) -> tensor<2x?xi64>
  // CHECK-NEXT: %read = npu.opaque "clock"() : () -> tensor<i64>
  %read = npu.opaque "clock"() : () -> tensor<i64>
  // CHECK-NEXT: npu.opaque "print"(%x) {unit} : (tensor<8x1x3xf32>) -> ()
  npu.opaque "print"(%x) {unit} : (tensor<8x1x3xf32>) -> ()
  // CHECK-NEXT: npu.opaque "barrier"() : () -> ()
  npu.opaque "barrier"() : () -> ()
  // CHECK-NEXT: npu.opaque "nothing"() pure : () -> ()
  npu.opaque "nothing"() pure : () -> ()
  // CHECK-NEXT: %name = npu.opaque "with \22quotes\22"(%x, %x) : (tensor<8x1x3xf32>, tensor<8x1x3xf32>) -> tensor<0xf32>
  %name = npu.opaque "with \22quotes\22"(%x, %x) : (tensor<8x1x3xf32>, tensor<8x1x3xf32>) -> tensor<0xf32>
  return
}

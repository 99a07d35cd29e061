// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Every op with its defaults, which are not printed.
// CHECK-LABEL: func.func @defaults(
func.func @defaults(%x: tensor<2x3xf32>) {
  // CHECK-NEXT: %relu = npu.relu %x : tensor<2x3xf32>
  %relu = npu.relu %x : tensor<2x3xf32>
  // CHECK-NEXT: %leaky_relu = npu.leaky_relu %x : tensor<2x3xf32>
  %leaky_relu = npu.leaky_relu %x : tensor<2x3xf32>
  // CHECK-NEXT: %elu = npu.elu %x : tensor<2x3xf32>
  %elu = npu.elu %x : tensor<2x3xf32>
  // CHECK-NEXT: %selu = npu.selu %x : tensor<2x3xf32>
  %selu = npu.selu %x : tensor<2x3xf32>
  // CHECK-NEXT: %gelu = npu.gelu %x : tensor<2x3xf32>
  %gelu = npu.gelu %x : tensor<2x3xf32>
  // CHECK-NEXT: %sigmoid = npu.sigmoid %x : tensor<2x3xf32>
  %sigmoid = npu.sigmoid %x : tensor<2x3xf32>
  // CHECK-NEXT: %hard_sigmoid = npu.hard_sigmoid %x : tensor<2x3xf32>
  %hard_sigmoid = npu.hard_sigmoid %x : tensor<2x3xf32>
  // CHECK-NEXT: %silu = npu.silu %x : tensor<2x3xf32>
  %silu = npu.silu %x : tensor<2x3xf32>
  // CHECK-NEXT: %hard_swish = npu.hard_swish %x : tensor<2x3xf32>
  %hard_swish = npu.hard_swish %x : tensor<2x3xf32>
  // CHECK-NEXT: %mish = npu.mish %x : tensor<2x3xf32>
  %mish = npu.mish %x : tensor<2x3xf32>
  // CHECK-NEXT: %softplus = npu.softplus %x : tensor<2x3xf32>
  %softplus = npu.softplus %x : tensor<2x3xf32>
  // CHECK-NEXT: %softsign = npu.softsign %x : tensor<2x3xf32>
  %softsign = npu.softsign %x : tensor<2x3xf32>
  return
}

/// Defaults that are written are not printed either.
// CHECK-LABEL: func.func @elided(
func.func @elided(%x: tensor<2x3xf32>) {
  // CHECK-NEXT: %leaky_relu = npu.leaky_relu %x : tensor<2x3xf32>
  %leaky_relu = npu.leaky_relu %x alpha = 0.01 : tensor<2x3xf32>
  // CHECK-NEXT: %elu = npu.elu %x : tensor<2x3xf32>
  %elu = npu.elu %x alpha = 1.0 : tensor<2x3xf32>
  // CHECK-NEXT: %gelu = npu.gelu %x : tensor<2x3xf32>
  %gelu = npu.gelu %x approximate = "none" : tensor<2x3xf32>
  // CHECK-NEXT: %hard_sigmoid = npu.hard_sigmoid %x : tensor<2x3xf32>
  %hard_sigmoid = npu.hard_sigmoid %x alpha = 0.2 beta = 0.5 : tensor<2x3xf32>
  return
}

/// Parameters of their own.
// CHECK-LABEL: func.func @parameters(
func.func @parameters(%x: tensor<2x3xf32>) {
  // CHECK-NEXT: %leaky_relu = npu.leaky_relu %x alpha = 2.500000e-01 : tensor<2x3xf32>
  %leaky_relu = npu.leaky_relu %x alpha = 0.25 : tensor<2x3xf32>
  // CHECK-NEXT: %elu = npu.elu %x alpha = -5.000000e-01 : tensor<2x3xf32>
  %elu = npu.elu %x alpha = -0.5 : tensor<2x3xf32>
  // CHECK-NEXT: %gelu = npu.gelu %x approximate = "tanh" : tensor<2x3xf32>
  %gelu = npu.gelu %x approximate = "tanh" : tensor<2x3xf32>
  // CHECK-NEXT: %hard_sigmoid = npu.hard_sigmoid %x alpha = 1.250000e-01 : tensor<2x3xf32>
  %hard_sigmoid = npu.hard_sigmoid %x alpha = 0.125 : tensor<2x3xf32>
  // CHECK-NEXT: %hard_sigmoid2 = npu.hard_sigmoid %x beta = 2.500000e-01 : tensor<2x3xf32>
  %hard_sigmoid2 = npu.hard_sigmoid %x beta = 0.25 : tensor<2x3xf32>
  // CHECK-NEXT: %hard_sigmoid3 = npu.hard_sigmoid %x alpha = 1.250000e-01 beta = 2.500000e-01 : tensor<2x3xf32>
  %hard_sigmoid3 = npu.hard_sigmoid %x alpha = 0.125 beta = 0.25 : tensor<2x3xf32>
  return
}

/// A lower bound, an upper one, both, and both the same.
// CHECK-LABEL: func.func @clip(
func.func @clip(%x: tensor<2x3xf32>) {
  // CHECK-NEXT: %clip = npu.clip %x min = 0.000000e+00 : tensor<2x3xf32>
  %clip = npu.clip %x min = 0.0 : tensor<2x3xf32>
  // CHECK-NEXT: %clip2 = npu.clip %x max = 6.000000e+00 : tensor<2x3xf32>
  %clip2 = npu.clip %x max = 6.0 : tensor<2x3xf32>
  // CHECK-NEXT: %clip3 = npu.clip %x min = -1.500000e+00 max = 6.000000e+00 : tensor<2x3xf32>
  %clip3 = npu.clip %x min = -1.5 max = 6.0 : tensor<2x3xf32>
  // CHECK-NEXT: %clip4 = npu.clip %x min = 1.000000e+00 max = 1.000000e+00 : tensor<2x3xf32>
  %clip4 = npu.clip %x min = 1.0 max = 1.0 : tensor<2x3xf32>
  return
}

/// On integers.
// CHECK-LABEL: func.func @integers(
func.func @integers(%i: tensor<2x3xi8>) {
  // CHECK-NEXT: %relu = npu.relu %i : tensor<2x3xi8>
  %relu = npu.relu %i : tensor<2x3xi8>
  // CHECK-NEXT: %clip = npu.clip %i min = -4.000000e+00 max = 1.000000e+02 : tensor<2x3xi8>
  %clip = npu.clip %i min = -4.0 max = 100.0 : tensor<2x3xi8>
  return
}

/// Every layout and dynamic dimensions.
// CHECK-LABEL: func.func @layouts(
func.func @layouts(
  %a: tensor<1x8x8x16xf32, #npu.layout<NHWC>>, %t: tensor<64x12xf16, #npu.layout<Tensor, [1, 0]>>,
  %d: tensor<?x8x8x16xf32, #npu.layout<NCHW>>, %n: tensor<2x?x12xbf16, #npu.layout<NTensor>>
) {
  // CHECK-NEXT: %relu = npu.relu %a : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  %relu = npu.relu %a : tensor<1x8x8x16xf32, #npu.layout<NHWC>>
  // CHECK-NEXT: %gelu = npu.gelu %t : tensor<64x12xf16, #npu.layout<Tensor, [1, 0]>>
  %gelu = npu.gelu %t
    : tensor<64x12xf16, #npu.layout<Tensor, [1, 0]>>
  // CHECK-NEXT: %clip = npu.clip %d min = 0.000000e+00 max = 6.000000e+00 : tensor<?x8x8x16xf32, #npu.layout<NCHW>>
  %clip = npu.clip %d min = 0.0 max = 6.0
    : tensor<?x8x8x16xf32, #npu.layout<NCHW>>
  // CHECK-NEXT: %silu = npu.silu %n : tensor<2x?x12xbf16, #npu.layout<NTensor>>
  %silu = npu.silu %n : tensor<2x?x12xbf16, #npu.layout<NTensor>>
  return
}

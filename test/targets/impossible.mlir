// RUN: npu-opt %s --target=%S/Inputs/impossible.toml --layout-optimal -o %t.mlir 2>&1 | filecheck %s
// RUN: npu-opt %s --target=%S/Inputs/impossible.toml --layout-preset=strategy=naive -o %t.mlir 2>&1 | filecheck %s --check-prefix PRESET
// RUN: npu-opt %s --target=%S/Inputs/costs.toml --layout-preset -o %t.mlir 2>&1 | filecheck %s --check-prefix FALLBACK --allow-empty

/// Transposes that the hardware cannot do, without a fallback: left only where nothing else is possible.
// CHECK:      {{.*}}impossible.mlir:[[# @LINE + 11]]:8: note: impossible cannot do this transpose: NCHW to NHWC of 1x4x8x8 (1024 bytes, 2048 ns): layout-optimal: %c conv2d demands NHWC of data (impossible.toml:10), but argument %x is NCHW
// CHECK-NEXT: {{.*}}impossible.mlir:[[# @LINE + 11]]:3: note: impossible cannot do this transpose: NHWC to NCHW of 1x8x8x4 (1024 bytes, 2048 ns): layout-optimal: output 0 of @forced keeps NCHW, but %c conv2d demands NHWC of data (impossible.toml:10)
// CHECK-NOT:  {{.}}

/// Presets do not avoid them.
// PRESET: {{.*}}impossible.mlir:[[# @LINE + 12]]:8: note: impossible cannot do this transpose: NCHW to NHWC of 1x4x8x8 (1024 bytes, 2048 ns): layout-preset: %m mirror demands NHWC of input (impossible.toml:11)

/// With a fallback, the host does them.
// FALLBACK-NOT: note

func.func @forced(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>> {
  %c = npu.conv2d %x, %k : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>>
  return %c : tensor<1x4x8x8xf32, #npu.layout<NCHW>>
}

/// Two of them are avoided at any price: they would cost 4096, and the op costs 5120 in this form.
func.func @avoided(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>> {
  %m = npu.mirror %x axes = [2] : tensor<1x4x8x8xf32, #npu.layout<NCHW>>
  return %m : tensor<1x4x8x8xf32, #npu.layout<NCHW>>
}

// RUN: npu-opt %s --target=%S/../passes/Inputs/vendor.toml --layout-optimal -o %t.mlir
// RUN: npu-check %s %t.mlir --target=%S/../passes/Inputs/vendor.toml | filecheck %s
// RUN: npu-check %t.mlir %t.mlir | filecheck %s --check-prefix=BOTH
// RUN: npu-check %t.mlir %t.mlir --json | filecheck %s --check-prefix=JSON
// RUN: not npu-check %s %t.mlir | filecheck %s --check-prefix=ONE
// RUN: not npu-check %s %t.mlir --target=nothing 2>&1 | filecheck %s --check-prefix=WRONG

/// Statements about ops of other systems are believed, and named; each has to be one of both programs.
// CHECK:      proved: {{.*}}check_vendor.mlir and {{.*}}.mlir compute the same
// CHECK-NEXT: note: believed, not proved: "vendor.dither" takes data in any order (vendor.toml:25)
// CHECK-NEXT: note: believed, not proved: "vendor.pool" finds the spatial axes of its data in any order (vendor.toml:28)
// CHECK-NEXT: note: believed, not proved: "vendor.swish" is elementwise (vendor.toml:20)
// BOTH:       note: believed, not proved: "vendor.swish" is elementwise (as the programs say)
// JSON:       "believed": ["\"vendor.dither\" takes data in any order (as the programs say)",
// ONE:        undecided: @main: effect 0 is vendor.swish in the first program and vendor.dither in the second
// ONE:        note: only the second program says how "vendor.dither" treats its axes; a --target with it in [ops] says it of both
// ONE-NEXT:   note: only the second program says how "vendor.pool" treats its axes; a --target with it in [ops] says it of both
// ONE-NEXT:   note: only the second program says how "vendor.swish" treats its axes; a --target with it in [ops] says it of both
// ONE-NEXT:   note: @main was not run: 'npu.opaque' "vendor.swish" cannot be evaluated
// WRONG:      error: unknown target 'nothing'; expected 'brick', 'daven', 'dunlin', 'ethos-u55', 'ethos-u85', 'litert', 'onnx', 'onnxruntime', 'opu', 'ort-nchwc', 'ort-nchwc8', 'plover', 'rockchip-rk3576', 'rockchip-rk3588', 'sophgo-bm1684x', 'sophgo-bm1684x-int8' or 'torch'
func.func @main(%x: tensor<1x4x8x8xf32>, %k: tensor<4x4x3x3xf32>, %t: tensor<5xf32>) -> tensor<1x4x2x2xf32> {
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32>
  %s = npu.opaque "vendor.swish"(%a) : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %d = npu.opaque "vendor.dither"(%s, %t) : (tensor<1x4x6x6xf32>, tensor<5xf32>) -> tensor<1x4x6x6xf32>
  %p = npu.opaque "vendor.pool"(%d) : (tensor<1x4x6x6xf32>) -> tensor<1x4x4x4xf32>
  %b = npu.conv2d %p, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x4x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x2x2xf32>
  return %b : tensor<1x4x2x2xf32>
}

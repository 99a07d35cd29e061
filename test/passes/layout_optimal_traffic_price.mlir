// RUN: npu-opt %s --target=%S/Inputs/priced.toml --layout-optimal="cost=traffic" --stats --fuse-ops-hw="strategy=cover" --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=REPORT < %t

/// The pool reads NCHW: on its way in the loader is cheap, and on its way out a round through memory is cheaper than the
/// writer. Both are proved.
// CHECK-LABEL: func.func @apart
// CHECK-NEXT:    %relu = npu.relu %x : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %pool = func.call @fused_transpose_max_pool(%relu) : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %pool_1 = npu.transpose %pool permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %pool_1 : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// REPORT:      layout-optimal: 2 transposes (1 absorbed, price 136), 1024 bytes, 3208 bytes travel: proved minimum
func.func @apart(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %relu = npu.relu %x : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %pool = npu.max_pool %relu window = [1, 1] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %pool : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// The cheap stage takes no f16. The bound knows only the price of the cheapest stage, so all forms are tried.
// CHECK-LABEL: func.func @half
// CHECK-NEXT:    %pool = func.call @fused_transpose_max_pool(%x)
// REPORT-NEXT: layout-optimal: 1 transpose (1 absorbed, price 228), 256 bytes, 740 bytes travel: proved minimum
func.func @half(%x: tensor<1x4x4x8xf16, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf16, #npu.layout<NCHW>> {
  %pool = npu.max_pool %x window = [1, 1] : (tensor<1x4x4x8xf16, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf16, #npu.layout<NHWC>>
  %t = npu.transpose %pool permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf16, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf16, #npu.layout<NCHW>>
  func.return %t : tensor<1x8x4x4xf16, #npu.layout<NCHW>>
}

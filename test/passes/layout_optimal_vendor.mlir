// RUN: npu-opt %s --split-input-file --target=%S/Inputs/vendor.toml --layout-optimal | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/vendor.toml --layout-preset | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/vendor.toml --layout-optimal --why=%r -o %t.mlir 2>&1 | filecheck %s --check-prefix=WHY
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/vendor.toml --layout-optimal --fuse-ops-hw="annotate=true" | filecheck %s --check-prefix=FUSED

/// A demand on a described op is one for the positions of its operands and results. The layout that its attributes mean
/// stays, and its parameters are not moved.
// CHECK-LABEL: func.func @demanded(
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %r = npu.vendor_pool "vendor.resize"(%x_1, %scales) written_in = <NCHW> pure {scale = 2 : i64} : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<4xf32, #npu.layout<Tensor>>) -> tensor<1x16x16x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %r_1 = npu.transpose %r permutation = [0, 3, 1, 2] : (tensor<1x16x16x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x16x16xf32, #npu.layout<NCHW>>
// WHY:           layout-optimal: %r is stored in NHWC instead of NCHW
// WHY-NEXT:        because %r vendor.resize demands NHWC of operand0 (vendor.toml:17)
func.func @demanded(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>, %scales: tensor<4xf32, #npu.layout<Tensor>>) -> tensor<1x4x16x16xf32, #npu.layout<NCHW>> {
  %r = npu.opaque "vendor.resize"(%x, %scales) {scale = 2 : i64}
    : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<4xf32, #npu.layout<Tensor>>) -> tensor<1x4x16x16xf32, #npu.layout<NCHW>>
  return %r : tensor<1x4x16x16xf32, #npu.layout<NCHW>>
}

// -----

/// A stage runs a described op by its name.
// CHECK-LABEL: func.func @stage(
// FUSED-LABEL: func.func @stage(
// FUSED:         %a = npu.conv2d {{.*}} {npu.group = 0 : i64}
// FUSED-NEXT:    %s = npu.vendor_elementwise "vendor.swish"(%a) pure fusion = "elementwise" {npu.group = 0 : i64}
func.func @stage(%x: tensor<1x8x8x4xf32, #npu.layout<NHWC>>, %k: tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>> {
  %a = npu.conv2d %x, %k : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
  %s = npu.opaque "vendor.swish"(%a) : (tensor<1x8x8x4xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x4xf32, #npu.layout<NHWC>>
  return %s : tensor<1x8x8x4xf32, #npu.layout<NHWC>>
}

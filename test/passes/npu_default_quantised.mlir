// RUN: npu-opt %s --npu-default --target=%S/Inputs/float_pools.toml -o %t.mlir
// RUN: filecheck %s --input-file=%t.mlir
// RUN: npu-check %s %t.mlir
// RUN: npu-opt %t.mlir --npu-default --target=%S/Inputs/float_pools.toml | diff - %t.mlir
// RUN: npu-opt %s --npu-default --target=%S/Inputs/float_pools.toml --why=%1 2>&1 | filecheck %s --check-prefix=WHY

/// The steps of a quantised op get the orders that the target demands of them, as they are written before the layouts
/// are chosen; the pipeline is idempotent.
// CHECK: npu.global_avg_pool %{{.*}} : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// WHY: layout-preset: %1
func.func @main(%x: tensor<1x8x4x4xi8>, %s: tensor<f32>, %z: tensor<i8>) -> tensor<1x8x1x1xi8> {
  %y = npu.quant_global_avg_pool %x, %s, %z, %s, %z data_layout = <NCHW> : (tensor<1x8x4x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x8x1x1xi8>
  func.return %y : tensor<1x8x1x1xi8>
}

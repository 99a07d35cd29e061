// RUN: npu-opt %s --interface=free --layout-preset | filecheck %s
// RUN: npu-opt %s --interface=NHWC --layout-preset | filecheck %s
// RUN: npu-opt %s --interface=x:NHWC,output0:NHWC --layout-preset="strategy=naive" --canonicalize | filecheck %s
// RUN: npu-opt %s --interface=free --layout-preset-npu | filecheck %s
// RUN: npu-opt %s --interface=free --layout-preset-npu="strategy=record" | filecheck %s
// RUN: npu-opt %s --interface=NHWC --npu-default | filecheck %s --check-prefix=DEFAULT
// RUN: npu-opt %s --interface=NCHW --layout-preset | filecheck %s --check-prefix=KEEP
// RUN: npu-opt %s --interface=free --layout-preset --why=c -o %t.mlir 2>&1 | filecheck %s --check-prefix=WHY

/// The transposes at the border of what the hardware wants in NHWC become part of the signature, or cancel out with
/// those of a named layout. A layout that an argument has already changes nothing.
// CHECK:       func.func @main(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"})
// CHECK-SAME:    -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"}) {
// CHECK-NEXT:    %k = npu.constant
// CHECK-NEXT:    %c = npu.conv2d %x, %k
// CHECK-NEXT:    func.return %c
// DEFAULT:     func.func @main(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"})
// DEFAULT-NOT:   npu.transpose
// KEEP:        func.func @main(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// WHY:         interface=free: transposes behind arguments and before results become part of the signature
func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  func.return %c : tensor<1x8x4x6xf32>
}

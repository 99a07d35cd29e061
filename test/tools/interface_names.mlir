// RUN: npu-opt %s --interface=output0:NHWC --layout-preset | filecheck %s
// RUN: npu-opt %s --interface=twice:NHWC --layout-preset 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not npu-opt %s --interface=NC1HWC0 --layout-preset 2>&1 | filecheck %s --check-prefix=BLOCKS

/// The first result alone, although the value that both return has its name.
// CHECK:      func.func @main(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) ->
// CHECK-SAME:   (tensor<1x4x6x8xf32, #npu.layout<NHWC>> {npu.interface = "NHWC (was NCHW)"}, tensor<1x8x4x6xf32, #npu.layout<NCHW>>,
// CHECK-SAME:   tensor<1x8x4x6xf32, #npu.layout<NCHW>>)

/// A value names all results that return it.
// VALUE:      interface: output2 is stored as NHWC (was NCHW)
// VALUE-NEXT: builtin.module {

// BLOCKS:     npu-opt: error: argument --interface: expected keep, free, a layout such as NHWC, or one of these for an argument or result, as in x:NHWC, found 'NC1HWC0': inputs and outputs are not stored in blocks
func.func @main(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>)
    -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
  %output0 = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  %twice = npu.relu %output0 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %output0, %output0, %twice
    : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

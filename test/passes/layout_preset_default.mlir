// RUN: npu-opt %s --layout-preset 2>/dev/null | filecheck %s --check-prefix TENSOR
// RUN: npu-opt %s --layout-preset="default=Tensor" | filecheck %s --check-prefix TENSOR
// RUN: npu-opt %s --layout-preset="default=NCHW" | filecheck %s --check-prefix NCHW
// RUN: npu-opt %s --layout-preset="default=NCHW" --layout-preset | filecheck %s --check-prefix NCHW
// RUN: npu-opt %s --layout-preset-npu="default=NCHW" | filecheck %s --check-prefix GREEDY
// RUN: npu-opt %s --layout-preset 2>&1 >/dev/null | filecheck %s --check-prefix NOTE
// RUN: npu-opt %s --layout-preset-npu 2>&1 >/dev/null | filecheck %s --check-prefix NOTE
// RUN: npu-opt %s --layout-preset="default=NCHW" --layout-preset 2>&1 | filecheck %s --check-prefix SILENT
// RUN: npu-opt %s --layout-preset="default=Tensor" 2>&1 | filecheck %s --check-prefix SILENT
// RUN: not npu-opt %s --layout-preset="default=NHCWX" 2>&1 | filecheck %s --check-prefix WRONG

// NOTE: note: layout-preset{{(-npu)?}}: no op in this program fixes a layout such as NCHW, so there is nothing to optimise; if the inputs are images, pass default=NCHW
// NOTE-NOT: note:
// SILENT-NOT: note:
// WRONG: option default: 'NHCWX' is not a layout
/// No layout is stated: all is Tensor, and a note reports that no layout was known. With `default` the argument is a feature, on which the concatenation demands NHWC.
// TENSOR-LABEL: func.func @unknown(
// TENSOR-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x16x4x6xf32, #npu.layout<Tensor>> {
// TENSOR-NEXT:    %r = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// TENSOR-NEXT:    %c = npu.concat %r, %x axis = 1 : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x16x4x6xf32, #npu.layout<Tensor>>
// TENSOR-NEXT:    func.return %c : tensor<1x16x4x6xf32, #npu.layout<Tensor>>
// TENSOR-NEXT:  }
// NCHW-LABEL: func.func @unknown(
// NCHW-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>> {
// NCHW-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NCHW-NEXT:    %r = npu.relu %x_1 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NCHW-NEXT:    %c = npu.concat %r, %x_1 axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x16xf32, #npu.layout<NHWC>>
// NCHW-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// NCHW-NEXT:    func.return %c_1 : tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// NCHW-NEXT:  }
// GREEDY-LABEL: func.func @unknown(
// GREEDY-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>> {
// GREEDY-NEXT:    %r = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    %r_1 = npu.transpose %r permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %c = npu.concat %r_1, %x_1 axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x16xf32, #npu.layout<NHWC>>
// GREEDY-NEXT:    %c_1 = npu.transpose %c permutation = [0, 3, 1, 2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:    func.return %c_1 : tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// GREEDY-NEXT:  }
func.func @unknown(%x: tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32> {
  %r = npu.relu %x : tensor<1x8x4x6xf32>
  %c = npu.concat %r, %x axis = 1 : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32>
  return %c : tensor<1x16x4x6xf32>
}

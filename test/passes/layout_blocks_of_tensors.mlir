// RUN: npu-opt %s --target=brick --layout-preset-npu=strategy=record --verify-layouts | filecheck %s
// RUN: npu-opt %s --target=brick --layout-preset=strategy=regions-plus --verify-layouts | filecheck %s
// RUN: npu-opt %s --target=brick --layout-optimal --verify-layouts | filecheck %s
// RUN: npu-opt %s --target=daven --layout-preset-npu --verify-layouts | filecheck %s --check-prefix=DAVEN
// RUN: npu-opt %s --target=daven --layout-optimal=cost=count --verify-layouts | filecheck %s --check-prefix=DAVEN

/// A tensor without letters is packed as its own axes: the blocks of its third axis are those of C behind a transpose,
/// at the same place, so the convolution reads the same bytes under another layout.
// CHECK-LABEL: func.func @third_axis
// CHECK:       npu.pack %x : (tensor<?x2x4x6xf32, #npu.layout<Tensor>>) -> tensor<?x6x1x2x16xf32, #npu.layout<Tensor, [0, 3, 2, 1] tiles [2 by 16], dim 2 = 4, zeros>>
// CHECK-NEXT:  npu.relabel {{.*}} -> tensor<?x6x1x2x16xf32, #npu.layout<NHCW16c, C = 4, zeros>>
// CHECK-NOT:   npu.transpose

/// The only block may have another place: nothing moves then either.
// DAVEN-LABEL: func.func @third_axis
// DAVEN:       npu.pack %x : (tensor<?x2x4x6xf32, #npu.layout<Tensor>>) -> tensor<?x6x1x2x16xf32, #npu.layout<Tensor, [0, 3, 2, 1] tiles [2 by 16], dim 2 = 4, zeros>>
// DAVEN-NEXT:  npu.transpose {{.*}} permutation = [0, 2, 1, 3, 4]
// DAVEN-NEXT:  npu.relabel {{.*}} -> tensor<?x1x6x2x16xf32, #npu.layout<NCHW16c, C = 4, zeros>>
// DAVEN-NOT:   npu.transpose
func.func @third_axis(%x: tensor<?x2x4x6xf32>) -> (tensor<?x2x4x6xf32>, tensor<?x2x6x2xf32>) {
  %r = npu.opaque "other.op"(%x) pure : (tensor<?x2x4x6xf32>) -> tensor<?x2x4x6xf32>
  %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<?x2x4x6xf32>) -> tensor<?x4x6x2xf32>
  %w = npu.constant dense<5.000000e-01> : tensor<2x4x1x1xf32>
  %y = npu.conv2d %t, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x4x6x2xf32>, tensor<2x4x1x1xf32>) -> tensor<?x2x6x2xf32>
  func.return %r, %y : tensor<?x2x4x6xf32>, tensor<?x2x6x2xf32>
}

// RUN: npu-opt %s --split-input-file --recognise-shuffles=absorb=true --verify-layouts | filecheck %s
// RUN: npu-opt %s --split-input-file --recognise-shuffles=absorb=true --recognise-shuffles=absorb=true | filecheck %s

/// Two units of ShuffleNet v2: a split of shuffled channels takes parts of what the convolutions make, in an order in
/// which the parts are in one piece. The kernels have the channels in this order, so that nothing is shuffled.
// CHECK-LABEL: @units(
// CHECK:      %0 = npu.constant dense<[2, 3, 0, 1]> : tensor<4xi64>
// CHECK-NEXT: %1 = npu.gather %wa, %0 axis = 0 : (tensor<4x3x1x1xf32>, tensor<4xi64>) -> tensor<4x3x1x1xf32>
// CHECK-NEXT: %a = npu.conv2d %x, %1 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<?x4x8x8xf32>
// CHECK-NEXT: %2 = npu.constant dense<[2, 3, 0, 1]> : tensor<4xi64>
// CHECK-NEXT: %3 = npu.gather %wb, %2 axis = 0 : (tensor<4x3x1x1xf32>, tensor<4xi64>) -> tensor<4x3x1x1xf32>
// CHECK-NEXT: %b = npu.conv2d %x, %3 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<?x4x8x8xf32>
// CHECK-NEXT: %4 = npu.slice %a starts = [0, 0, 0, 0] limits = [9223372036854775807, 2, 9223372036854775807, 9223372036854775807] : (tensor<?x4x8x8xf32>) -> tensor<?x2x8x8xf32>
// CHECK-NEXT: %5 = npu.slice %b starts = [0, 0, 0, 0] limits = [9223372036854775807, 2, 9223372036854775807, 9223372036854775807] : (tensor<?x4x8x8xf32>) -> tensor<?x2x8x8xf32>
// CHECK-NEXT: %worked = npu.concat %4, %5 axis = 1 : (tensor<?x2x8x8xf32>, tensor<?x2x8x8xf32>) -> tensor<?x4x8x8xf32>
// CHECK-NEXT: %6 = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
// CHECK-NEXT: %7 = npu.gather %wd, %6 axis = 1 : (tensor<4x4x1x1xf32>, tensor<4xi64>) -> tensor<4x4x1x1xf32>
// CHECK-NEXT: %d = npu.conv2d %worked, %7 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<?x4x8x8xf32>
// CHECK-NEXT: %8 = npu.slice %a starts = [0, 2, 0, 0] limits = [9223372036854775807, 4, 9223372036854775807, 9223372036854775807] : (tensor<?x4x8x8xf32>) -> tensor<?x2x8x8xf32>
// CHECK-NEXT: %9 = npu.slice %b starts = [0, 2, 0, 0] limits = [9223372036854775807, 4, 9223372036854775807, 9223372036854775807] : (tensor<?x4x8x8xf32>) -> tensor<?x2x8x8xf32>
// CHECK-NEXT: %e = npu.concat %8, %9, %d axis = 1 : (tensor<?x2x8x8xf32>, tensor<?x2x8x8xf32>, tensor<?x4x8x8xf32>) -> tensor<?x8x8x8xf32>
// CHECK-NEXT: %10 = npu.constant dense<[0, 2, 1, 3, 4, 5, 6, 7]> : tensor<8xi64>
// CHECK-NEXT: %11 = npu.gather %wy, %10 axis = 1 : (tensor<3x8x1x1xf32>, tensor<8xi64>) -> tensor<3x8x1x1xf32>
// CHECK-NEXT: %y = npu.conv2d %e, %11 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x8x8x8xf32>, tensor<3x8x1x1xf32>) -> tensor<?x3x8x8xf32>
// CHECK-NEXT: func.return %y : tensor<?x3x8x8xf32>
func.func @units(%x: tensor<?x3x8x8xf32>) -> tensor<?x3x8x8xf32> {
  %wa = npu.constant #npu.reference<"w.safetensors", "a"> : tensor<4x3x1x1xf32>
  %wb = npu.constant #npu.reference<"w.safetensors", "b"> : tensor<4x3x1x1xf32>
  %wd = npu.constant #npu.reference<"w.safetensors", "d"> : tensor<4x4x1x1xf32>
  %wy = npu.constant #npu.reference<"w.safetensors", "y"> : tensor<3x8x1x1xf32>
  %a = npu.conv2d %x, %wa data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<?x4x8x8xf32>
  %b = npu.conv2d %x, %wb data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<?x4x8x8xf32>
  %c = npu.concat %a, %b axis = 1 : (tensor<?x4x8x8xf32>, tensor<?x4x8x8xf32>) -> tensor<?x8x8x8xf32>
  %0 = npu.reshape %c dims = [@in0, 2, 4, 8, 8] : (tensor<?x8x8x8xf32>) -> tensor<?x2x4x8x8xf32>
  %1 = npu.transpose %0 permutation = [0, 2, 1, 3, 4] : (tensor<?x2x4x8x8xf32>) -> tensor<?x4x2x8x8xf32>
  %2 = npu.reshape %1 dims = [@in0, 8, 8, 8] : (tensor<?x4x2x8x8xf32>) -> tensor<?x8x8x8xf32>
  %kept, %worked = npu.split %2 axis = 1 sizes = [4, 4] : (tensor<?x8x8x8xf32>) -> (tensor<?x4x8x8xf32>, tensor<?x4x8x8xf32>)
  %d = npu.conv2d %worked, %wd data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<?x4x8x8xf32>
  %e = npu.concat %kept, %d axis = 1 : (tensor<?x4x8x8xf32>, tensor<?x4x8x8xf32>) -> tensor<?x8x8x8xf32>
  %y = npu.conv2d %e, %wy data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x8x8x8xf32>, tensor<3x8x1x1xf32>) -> tensor<?x3x8x8xf32>
  func.return %y : tensor<?x3x8x8xf32>
}

// -----

/// Norms, depthwise convolutions, pools and ops with a number for each channel take the new order along, in any layout.
// CHECK-LABEL: @followers(
// CHECK:      %0 = npu.conv2d %x, %k : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>, tensor<1x1x6x6xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: %1 = npu.sigmoid %0 : tensor<1x8x8x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: %2 = npu.add %1, %x : tensor<1x8x8x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: %3 = npu.constant dense<[1, 3, 5, 4, 2, 0]> : tensor<6xi64>
// CHECK-NEXT: %4 = npu.gather %s, %3 axis = 0 : (tensor<6xf32>, tensor<6xi64>) -> tensor<6xf32>
// CHECK-NEXT: %5 = npu.gather %s, %3 axis = 0 : (tensor<6xf32>, tensor<6xi64>) -> tensor<6xf32>
// CHECK-NEXT: %6 = npu.gather %m, %3 axis = 0 : (tensor<6xf32>, tensor<6xi64>) -> tensor<6xf32>
// CHECK-NEXT: %7 = npu.gather %m, %3 axis = 0 : (tensor<6xf32>, tensor<6xi64>) -> tensor<6xf32>
// CHECK-NEXT: %8 = npu.batch_norm %2, %4, %5, %6, %7 axis = 3 : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x8x8x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: %9 = npu.constant dense<[1, 3, 5, 4, 2, 0]> : tensor<6xi64, #npu.layout<Tensor>>
// CHECK-NEXT: %10 = npu.gather %d, %9 axis = 2 : (tensor<3x3x6x1xf32, #npu.layout<HWOI>>, tensor<6xi64, #npu.layout<Tensor>>) -> tensor<3x3x6x1xf32, #npu.layout<HWOI>>
// CHECK-NEXT: %11 = npu.constant dense<[1, 3, 5, 4, 2, 0]> : tensor<6xi64>
// CHECK-NEXT: %12 = npu.gather %b, %11 axis = 0 : (tensor<6xf32>, tensor<6xi64>) -> tensor<6xf32>
// CHECK-NEXT: %13 = npu.conv2d %8, %10, %12 pads = [1, 1, 1, 1] groups = 6 : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>, tensor<3x3x6x1xf32, #npu.layout<HWOI>>, tensor<6xf32>) -> tensor<1x8x8x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: %14 = npu.max_pool %13 window = [2, 2] strides = [2, 2] : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: %15 = npu.constant dense<[1, 3, 5, 4, 2, 0]> : tensor<6xi64, #npu.layout<Tensor>>
// CHECK-NEXT: %16 = npu.gather %f, %15 axis = 3 : (tensor<1x1x1x6xf32, #npu.layout<NHWC>>, tensor<6xi64, #npu.layout<Tensor>>) -> tensor<1x1x1x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: %17 = npu.mul %14, %16 : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>, tensor<1x1x1x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT: %18 = npu.constant dense<[1, 3, 5, 4, 2, 0]> : tensor<6xi64, #npu.layout<Tensor>>
// CHECK-NEXT: %19 = npu.gather %o, %18 axis = 3 : (tensor<1x1x2x6xf32, #npu.layout<HWOI>>, tensor<6xi64, #npu.layout<Tensor>>) -> tensor<1x1x2x6xf32, #npu.layout<HWOI>>
// CHECK-NEXT: %y = npu.conv2d %17, %19 : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>, tensor<1x1x2x6xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT: func.return %y : tensor<1x4x4x2xf32, #npu.layout<NHWC>>
func.func @followers(%x: tensor<1x8x8x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>> {
  %i = npu.constant dense<[5, 0, 4, 1, 3, 2]> : tensor<6xi64>
  %k = npu.constant #npu.reference<"w.safetensors", "k"> : tensor<1x1x6x6xf32, #npu.layout<HWOI>>
  %s = npu.constant #npu.reference<"w.safetensors", "s"> : tensor<6xf32>
  %m = npu.constant #npu.reference<"w.safetensors", "m"> : tensor<6xf32>
  %f = npu.constant #npu.reference<"w.safetensors", "f"> : tensor<1x1x1x6xf32, #npu.layout<NHWC>>
  %d = npu.constant #npu.reference<"w.safetensors", "d"> : tensor<3x3x6x1xf32, #npu.layout<HWOI>>
  %b = npu.constant #npu.reference<"w.safetensors", "b"> : tensor<6xf32>
  %o = npu.constant #npu.reference<"w.safetensors", "o"> : tensor<1x1x2x6xf32, #npu.layout<HWOI>>
  %0 = npu.conv2d %x, %k : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>, tensor<1x1x6x6xf32, #npu.layout<HWOI>>) -> tensor<1x8x8x6xf32, #npu.layout<NHWC>>
  %1 = npu.sigmoid %0 : tensor<1x8x8x6xf32, #npu.layout<NHWC>>
  %2 = npu.add %1, %x : tensor<1x8x8x6xf32, #npu.layout<NHWC>>
  %3 = npu.gather %2, %i axis = 3 : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>, tensor<6xi64>) -> tensor<1x8x8x6xf32, #npu.layout<NHWC>>
  %4 = npu.batch_norm %3, %s, %s, %m, %m axis = 3 : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x8x8x6xf32, #npu.layout<NHWC>>
  %5 = npu.conv2d %4, %d, %b pads = [1, 1, 1, 1] groups = 6 : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>, tensor<3x3x6x1xf32, #npu.layout<HWOI>>, tensor<6xf32>) -> tensor<1x8x8x6xf32, #npu.layout<NHWC>>
  %6 = npu.max_pool %5 window = [2, 2] strides = [2, 2] : (tensor<1x8x8x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  %7 = npu.mul %6, %f : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>, tensor<1x1x1x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  %y = npu.conv2d %7, %o : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>, tensor<1x1x2x6xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x2xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x2xf32, #npu.layout<NHWC>>
}

// -----

/// A shuffled value that is returned, or that an op reads with an argument, keeps its order: one gather.
// CHECK-LABEL: @returned(
// CHECK-NEXT: %0 = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
// CHECK-NEXT: %1 = npu.gather %x, %0 axis = 1 : (tensor<1x4x2x2xf32>, tensor<4xi64>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %y = npu.add %1, %z : tensor<1x4x2x2xf32>
// CHECK-NEXT: func.return %1, %y : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
func.func @returned(%x: tensor<1x4x2x2xf32>, %z: tensor<1x4x2x2xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) {
  %0 = npu.reshape %x : (tensor<1x4x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %1 = npu.transpose %0 permutation = [0, 2, 1, 3, 4] : tensor<1x2x2x2x2xf32>
  %2 = npu.reshape %1 : (tensor<1x2x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %y = npu.add %2, %z : tensor<1x4x2x2xf32>
  func.return %2, %y : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

/// Convolutions with groups do not take channels of other groups, unless they may have weights of zero.
// CHECK-LABEL: @groups(
// CHECK:      %c = npu.conv2d %x, %k groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %0 = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
// CHECK-NEXT: %1 = npu.gather %c, %0 axis = 1 : (tensor<1x4x2x2xf32>, tensor<4xi64>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %r = npu.relu %1 : tensor<1x4x2x2xf32>
// CHECK-NEXT: %y = npu.conv2d %r, %l groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: func.return %y : tensor<1x4x2x2xf32>
func.func @groups(%x: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32> {
  %k = npu.constant #npu.reference<"w.safetensors", "k"> : tensor<4x2x1x1xf32>
  %l = npu.constant #npu.reference<"w.safetensors", "l"> : tensor<4x2x1x1xf32>
  %c = npu.conv2d %x, %k groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x2x2xf32>
  %0 = npu.reshape %c : (tensor<1x4x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %1 = npu.transpose %0 permutation = [0, 2, 1, 3, 4] : tensor<1x2x2x2x2xf32>
  %2 = npu.reshape %1 : (tensor<1x2x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %r = npu.relu %2 : tensor<1x4x2x2xf32>
  %y = npu.conv2d %r, %l groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %y : tensor<1x4x2x2xf32>
}

// -----

/// A value that something else reads as well keeps its order; those that only convolutions read have another one.
// CHECK-LABEL: @two_uses(
// CHECK:      %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %0 = npu.constant dense<[2, 0, 3, 1]> : tensor<4xi64>
// CHECK-NEXT: %1 = npu.gather %l, %0 axis = 1 : (tensor<4x4x1x1xf32>, tensor<4xi64>) -> tensor<4x4x1x1xf32>
// CHECK-NEXT: %y = npu.conv2d %c, %1 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: func.return %c, %y : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
func.func @two_uses(%x: tensor<1x4x2x2xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) {
  %k = npu.constant #npu.reference<"w.safetensors", "k"> : tensor<4x4x1x1xf32>
  %l = npu.constant #npu.reference<"w.safetensors", "l"> : tensor<4x4x1x1xf32>
  %i = npu.constant dense<[1, 3, 0, 2]> : tensor<4xi64>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %g = npu.gather %c, %i axis = 1 : (tensor<1x4x2x2xf32>, tensor<4xi64>) -> tensor<1x4x2x2xf32>
  %y = npu.conv2d %g, %l data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %c, %y : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

/// Channels of unknown number, kernels that are no constants and positions that are taken twice stay as they are.
// CHECK-LABEL: @unknown(
// CHECK:      %g = npu.gather %x, %i axis = 1 : (tensor<1x?x2x2xf32>, tensor<4xi64>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %c = npu.conv2d %g, %l data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %h = npu.gather %c, %j axis = 1 : (tensor<1x4x2x2xf32>, tensor<4xi64>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %y = npu.conv2d %h, %m data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: func.return %y : tensor<1x4x2x2xf32>
func.func @unknown(%x: tensor<1x?x2x2xf32>, %k: tensor<4x?x1x1xf32>, %l: tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32> {
  %i = npu.constant dense<[1, 3, 0, 2]> : tensor<4xi64>
  %j = npu.constant dense<[3, 1, 1, 2]> : tensor<4xi64>
  %m = npu.constant #npu.reference<"w.safetensors", "m"> : tensor<4x4x1x1xf32>
  %g = npu.gather %x, %i axis = 1 : (tensor<1x?x2x2xf32>, tensor<4xi64>) -> tensor<1x4x2x2xf32>
  %c = npu.conv2d %g, %l data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %h = npu.gather %c, %j axis = 1 : (tensor<1x4x2x2xf32>, tensor<4xi64>) -> tensor<1x4x2x2xf32>
  %y = npu.conv2d %h, %m data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  func.return %y : tensor<1x4x2x2xf32>
}

// -----

/// A sum and a product of two values take an order along if a later convolution can make the other value in it: a
/// residual, and numbers for each channel, as in Lite-HRNet.
// CHECK-LABEL: @joined(
// CHECK:      %0 = npu.relu %x : tensor<1x4x2x2xf32>
// CHECK-NEXT: %1 = npu.global_avg_pool %0 data_layout = <NCHW> : (tensor<1x4x2x2xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NEXT: %2 = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
// CHECK-NEXT: %3 = npu.gather %wa, %2 axis = 1 : (tensor<4x4x1x1xf32>, tensor<4xi64>) -> tensor<4x4x1x1xf32>
// CHECK-NEXT: %4 = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
// CHECK-NEXT: %5 = npu.gather %3, %4 axis = 0 : (tensor<4x4x1x1xf32>, tensor<4xi64>) -> tensor<4x4x1x1xf32>
// CHECK-NEXT: %6 = npu.conv2d %1, %5 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NEXT: %7 = npu.sigmoid %6 : tensor<1x4x1x1xf32>
// CHECK-NEXT: %8 = npu.mul %7, %0 : (tensor<1x4x1x1xf32>, tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %9 = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
// CHECK-NEXT: %10 = npu.gather %wb, %9 axis = 0 : (tensor<4x4x1x1xf32>, tensor<4xi64>) -> tensor<4x4x1x1xf32>
// CHECK-NEXT: %11 = npu.conv2d %x, %10 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %12 = npu.add %11, %8 : tensor<1x4x2x2xf32>
// CHECK-NEXT: %13 = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
// CHECK-NEXT: %14 = npu.gather %wy, %13 axis = 1 : (tensor<3x4x1x1xf32>, tensor<4xi64>) -> tensor<3x4x1x1xf32>
// CHECK-NEXT: %y = npu.conv2d %12, %14 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<3x4x1x1xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: func.return %y : tensor<1x3x2x2xf32>
func.func @joined(%x: tensor<1x4x2x2xf32>) -> tensor<1x3x2x2xf32> {
  %wa = npu.constant #npu.reference<"w.safetensors", "a"> : tensor<4x4x1x1xf32>
  %wb = npu.constant #npu.reference<"w.safetensors", "b"> : tensor<4x4x1x1xf32>
  %wy = npu.constant #npu.reference<"w.safetensors", "y"> : tensor<3x4x1x1xf32>
  %0 = npu.relu %x : tensor<1x4x2x2xf32>
  %1 = npu.reshape %0 : (tensor<1x4x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %2 = npu.transpose %1 permutation = [0, 2, 1, 3, 4] : tensor<1x2x2x2x2xf32>
  %3 = npu.reshape %2 : (tensor<1x2x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %4 = npu.global_avg_pool %3 data_layout = <NCHW> : (tensor<1x4x2x2xf32>) -> tensor<1x4x1x1xf32>
  %5 = npu.conv2d %4, %wa data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %6 = npu.sigmoid %5 : tensor<1x4x1x1xf32>
  %7 = npu.mul %6, %3 : (tensor<1x4x1x1xf32>, tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %8 = npu.conv2d %x, %wb data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %9 = npu.add %8, %7 : tensor<1x4x2x2xf32>
  %y = npu.conv2d %9, %wy data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<3x4x1x1xf32>) -> tensor<1x3x2x2xf32>
  func.return %y : tensor<1x3x2x2xf32>
}

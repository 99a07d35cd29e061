// RUN: npu-opt %s --split-input-file --recognise-shuffles="absorb=true zeros=true" --verify-layouts | filecheck %s
// RUN: npu-opt %s --split-input-file --recognise-shuffles=zeros=true | filecheck %s --check-prefix ALONE
// RUN: npu-opt %s --split-input-file --recognise-shuffles="absorb=true groups=true" --verify-layouts | filecheck %s --check-prefix GROUPS

/// Two units of ShuffleNet v2: the convolution reads the channels that are kept as well, with weights of zero, and those
/// are one slice. Without absorb the option does nothing. Where groups alone are joined, it reads no others.
// CHECK-LABEL: @units(
// CHECK:      %0 = npu.constant dense<[2, 3, 0, 1]> : tensor<4xi64>
// CHECK-NEXT: %1 = npu.gather %wa, %0 axis = 0 : (tensor<4x3x1x1xf32>, tensor<4xi64>) -> tensor<4x3x1x1xf32>
// CHECK-NEXT: %a = npu.conv2d %x, %1 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<?x4x8x8xf32>
// CHECK-NEXT: %b = npu.conv2d %x, %wb data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<?x4x8x8xf32>
// CHECK-NEXT: %c = npu.concat %a, %b axis = 1 : (tensor<?x4x8x8xf32>, tensor<?x4x8x8xf32>) -> tensor<?x8x8x8xf32>
// CHECK-NEXT: %2 = npu.pad %wd low = [0, 0, 0, 0] high = [0, 1, 0, 0] : (tensor<4x4x1x1xf32>) -> tensor<4x5x1x1xf32>
// CHECK-NEXT: %3 = npu.constant dense<[0, 2, 4, 4, 4, 4, 1, 3]> : tensor<8xi64>
// CHECK-NEXT: %4 = npu.gather %2, %3 axis = 1 : (tensor<4x5x1x1xf32>, tensor<8xi64>) -> tensor<4x8x1x1xf32>
// CHECK-NEXT: %d = npu.conv2d %c, %4 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x8x8x8xf32>, tensor<4x8x1x1xf32>) -> tensor<?x4x8x8xf32>
// CHECK-NEXT: %5 = npu.slice %c starts = [0, 2, 0, 0] limits = [9223372036854775807, 6, 9223372036854775807, 9223372036854775807] : (tensor<?x8x8x8xf32>) -> tensor<?x4x8x8xf32>
// CHECK-NEXT: %e = npu.concat %5, %d axis = 1 : (tensor<?x4x8x8xf32>, tensor<?x4x8x8xf32>) -> tensor<?x8x8x8xf32>
// CHECK-NEXT: %6 = npu.constant dense<[0, 2, 1, 3, 4, 5, 6, 7]> : tensor<8xi64>
// CHECK-NEXT: %7 = npu.gather %wy, %6 axis = 1 : (tensor<3x8x1x1xf32>, tensor<8xi64>) -> tensor<3x8x1x1xf32>
// CHECK-NEXT: %y = npu.conv2d %e, %7 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x8x8x8xf32>, tensor<3x8x1x1xf32>) -> tensor<?x3x8x8xf32>
// CHECK-NEXT: func.return %y : tensor<?x3x8x8xf32>
// GROUPS-LABEL: @units(
// GROUPS:      %worked = npu.concat %4, %5 axis = 1 : (tensor<?x2x8x8xf32>, tensor<?x2x8x8xf32>) -> tensor<?x4x8x8xf32>
// GROUPS:      %d = npu.conv2d %worked, %7 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<?x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<?x4x8x8xf32>
// ALONE-LABEL: @units(
// ALONE: npu.gather %c
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

/// A convolution with groups that reads shuffled channels becomes one without, whose weights for the channels of other
/// groups are zeros.
// CHECK-LABEL: @groups(
// CHECK:      %c = npu.conv2d %x, %k groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: %r = npu.relu %c : tensor<1x4x2x2xf32>
// CHECK-NEXT: %0 = npu.slice %l starts = [0, 0, 0, 0] limits = [2, 9223372036854775807, 9223372036854775807, 9223372036854775807] : (tensor<4x2x1x1xf32>) -> tensor<2x2x1x1xf32>
// CHECK-NEXT: %1 = npu.pad %0 low = [0, 0, 0, 0] high = [0, 2, 0, 0] : (tensor<2x2x1x1xf32>) -> tensor<2x4x1x1xf32>
// CHECK-NEXT: %2 = npu.slice %l starts = [2, 0, 0, 0] limits = [4, 9223372036854775807, 9223372036854775807, 9223372036854775807] : (tensor<4x2x1x1xf32>) -> tensor<2x2x1x1xf32>
// CHECK-NEXT: %3 = npu.pad %2 low = [0, 2, 0, 0] high = [0, 0, 0, 0] : (tensor<2x2x1x1xf32>) -> tensor<2x4x1x1xf32>
// CHECK-NEXT: %4 = npu.concat %1, %3 axis = 0 : (tensor<2x4x1x1xf32>, tensor<2x4x1x1xf32>) -> tensor<4x4x1x1xf32>
// CHECK-NEXT: %5 = npu.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
// CHECK-NEXT: %6 = npu.gather %4, %5 axis = 1 : (tensor<4x4x1x1xf32>, tensor<4xi64>) -> tensor<4x4x1x1xf32>
// CHECK-NEXT: %y = npu.conv2d %r, %6 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT: func.return %y : tensor<1x4x2x2xf32>
// GROUPS-LABEL: @groups(
// GROUPS:      %c = npu.conv2d %x, %k groups = 2 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x2x2xf32>
// GROUPS-NEXT: %r = npu.relu %c : tensor<1x4x2x2xf32>
// GROUPS:      %y = npu.conv2d %r, %6 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
// GROUPS-NEXT: func.return %y : tensor<1x4x2x2xf32>
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

/// A convolution does not read more than twice the channels that it needs.
// CHECK-LABEL: @narrow(
// CHECK:      %0 = npu.constant dense<[0, 2, 4, 5, 1, 3]> : tensor<6xi64>
// CHECK-NEXT: %1 = npu.gather %k, %0 axis = 0 : (tensor<6x3x1x1xf32>, tensor<6xi64>) -> tensor<6x3x1x1xf32>
// CHECK-NEXT: %c = npu.conv2d %x, %1 data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x3x2x2xf32>, tensor<6x3x1x1xf32>) -> tensor<1x6x2x2xf32>
// CHECK-NEXT: %s = npu.slice %c starts = [0, 4, 0, 0] limits = [9223372036854775807, 6, 9223372036854775807, 9223372036854775807] : (tensor<1x6x2x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: %y = npu.conv2d %s, %l data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: func.return %y : tensor<1x2x2x2xf32>
func.func @narrow(%x: tensor<1x3x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %k = npu.constant #npu.reference<"w.safetensors", "k"> : tensor<6x3x1x1xf32>
  %l = npu.constant #npu.reference<"w.safetensors", "l"> : tensor<2x2x1x1xf32>
  %i = npu.constant dense<[1, 3, 5, 0, 2, 4]> : tensor<6xi64>
  %c = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x3x2x2xf32>, tensor<6x3x1x1xf32>) -> tensor<1x6x2x2xf32>
  %g = npu.gather %c, %i axis = 1 : (tensor<1x6x2x2xf32>, tensor<6xi64>) -> tensor<1x6x2x2xf32>
  %s = npu.slice %g starts = [0, 0, 0, 0] limits = [1, 2, 2, 2] : (tensor<1x6x2x2xf32>) -> tensor<1x2x2x2xf32>
  %y = npu.conv2d %s, %l data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

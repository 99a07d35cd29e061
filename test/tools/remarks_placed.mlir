// RUN: npu-opt %s --layout-preset="strategy=naive" --canonicalize --remarks=all --stats 2>&1 >/dev/null | filecheck %s
// RUN: npu-opt %s --layout-preset --canonicalize --expect-transposes=2 --expect-bytes=1536 -o /dev/null
// RUN: not npu-opt %s --layout-preset --canonicalize --expect-transposes=1 2>&1 | filecheck %s --check-prefix EXPECT

/// Naive wraps each op alone, and most of that cancels. A transpose has the location of the op that it serves.
// CHECK:      {{.*}}remarks_placed.mlir:[[# @LINE + 32]]:13: remark: inserted transpose OIHW to HWOI of 8x8x3x3 (of a constant, not counted) by layout-preset: %second conv2d demands HWOI of kernel (opu.toml:21)
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 28]]:12: remark: inserted transpose NCHW to NHWC of 1x8x4x6 (768 bytes) by layout-preset: %first conv2d demands NHWC of data (opu.toml:21)
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 29]]:11: remark: inserted transpose NHWC to NCHW of 1x4x6x8 (768 bytes) by layout-preset: %first is converted back, as each op is wrapped alone
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 28]]:11: remark: inserted transpose NCHW to NHWC of 1x8x4x6 (768 bytes) by layout-preset: %relu relu is wrapped alone
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 28]]:13: remark: inserted transpose NHWC to NCHW of 1x4x6x8 (768 bytes) by layout-preset: %relu is converted back, as each op is wrapped alone
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 27]]:13: remark: inserted transpose NCHW to NHWC of 1x8x4x6 (768 bytes) by layout-preset: %second conv2d demands NHWC of data (opu.toml:21)
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 28]]:3: remark: inserted transpose NHWC to NCHW of 1x4x6x8 (768 bytes) by layout-preset: %second is converted back, as each op is wrapped alone
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 25]]:13: remark: folded transpose OIHW to HWOI of 8x8x3x3 (of a constant, not counted) by canonicalize
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 23]]:11: remark: cancelled transpose NHWC to NCHW of 1x4x6x8 (768 bytes) by canonicalize
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 22]]:11: remark: cancelled transpose NCHW to NHWC of 1x8x4x6 (768 bytes) by canonicalize
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 22]]:13: remark: cancelled transpose NHWC to NCHW of 1x4x6x8 (768 bytes) by canonicalize
// CHECK-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 21]]:13: remark: cancelled transpose NCHW to NHWC of 1x8x4x6 (768 bytes) by canonicalize
// CHECK-NEXT: transposes and the bytes they move:
// CHECK-NEXT:                     transposes  bytes
// CHECK-NEXT:   before                     0      0
// CHECK-NEXT:   1. layout-preset           6   4608
// CHECK-NEXT:   2. canonicalize            2   1536
// CHECK-NEXT:   after                      2   1536
// CHECK-NOT:  {{.}}

/// One transpose less cannot be had: the error names what is left, and why.
// EXPECT:      {{.*}}remarks_placed.mlir: error: expected at most 1 transpose, found 2
// EXPECT-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 7]]:12: note: transpose NCHW to NHWC of 1x8x4x6 (768 bytes): layout-preset: %first conv2d demands NHWC of data (opu.toml:21)
// EXPECT-NEXT: {{.*}}remarks_placed.mlir:[[# @LINE + 11]]:3: note: transpose NHWC to NCHW of 1x4x6x8 (768 bytes): layout-preset: output 0 of @main keeps NCHW
// EXPECT-NOT:  {{.}}

func.func @main(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %k = npu.constant dense<0.125> : tensor<8x8x1x1xf32>
  %w = npu.constant dense<0.125> : tensor<8x8x3x3xf32>
  %first = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %relu = npu.relu %first : tensor<1x8x4x6xf32>
  %second = npu.conv2d %relu, %w pads = [1, 1, 1, 1] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x4x6xf32>
  func.return %second : tensor<1x8x4x6xf32>
}

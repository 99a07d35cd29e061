// RUN: npu-opt %s --target=plover --layout-optimal="cost=traffic" --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=REPORT < %t
// RUN: npu-opt %s --target=plover --layout-optimal --fuse-ops-hw="strategy=cover dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=APART
// RUN: npu-opt %s --target=plover --layout-optimal="cost=traffic" --fuse-ops-hw="strategy=cover dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=TOGETHER
// RUN: npu-opt %s --target=plover --layout-optimal="cost=traffic" --layout-optimal="cost=traffic" --split-input-file | filecheck %s
// RUN: npu-opt %s --target=plover --layout-optimal="cost=traffic" --why=sum --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=WHY

/// Both programs have two transposes. In one group with the convolution, the product needs no round through memory: the
/// argument is transposed on the way in, and the result on the way out.
// CHECK-LABEL: func.func @residual
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x3x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %kernel = npu.constant dense<5.000000e-01> : tensor<2x2x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %conv = npu.conv2d %x_1, %kernel : (tensor<1x2x3x4xf32, #npu.layout<NCHW>>, tensor<2x2x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x2x3x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %sum = npu.mul %conv, %x_1 : tensor<1x2x3x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %sum_1 = npu.transpose %sum permutation = [0, 2, 3, 1] : (tensor<1x2x3x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %sum_1 : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
// REPORT:      layout-optimal: 2 transposes (2 absorbed), 192 bytes, 192 bytes travel: proved minimum
// APART:       groups: 2, 1 of them of several ops
// APART:       bytes that travel: 480: proved minimum
// APART-NEXT:  absorbed transposes: 2 of 2
// TOGETHER:      groups: 1, 1 of them of several ops
// TOGETHER:      bytes that travel: 192: proved minimum
// TOGETHER-NEXT: absorbed transposes: 2 of 2
// WHY:      layout-optimal: %sum is stored in NCHW instead of NHWC
// WHY-NEXT:   because %conv conv2d demands NCHW of data (plover.toml:19)
// WHY-NEXT:   transposed for output 0 of @residual (96 bytes), because output 0 of @residual keeps NHWC, but %conv conv2d demands NCHW of data (plover.toml:19) (through %sum mul)
// WHY-NEXT:   in all: 2 transposes (2 absorbed), 192 bytes, 192 bytes travel: proved minimum
// WHY-NEXT:   single changes are not tried with cost=traffic: --what-if solves the program again for each of them
func.func @residual(%x: tensor<1x3x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>> {
  %kernel = npu.constant dense<0.5> : tensor<2x2x1x1xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %kernel
    : (tensor<1x3x4x2xf32, #npu.layout<NHWC>>, tensor<2x2x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>>
  %sum = npu.mul %conv, %x : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
  func.return %sum : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
}

// -----

/// Three transposes that groups absorb move less than two that none can: the convolution would have to write its result
/// in both orders.
// CHECK-LABEL: func.func @more_transposes
// CHECK:         %conv_1 = npu.transpose %conv permutation = [0, 2, 3, 1] : (tensor<1x2x3x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %exp = npu.exp %conv_1 : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %conv_1, %x : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %turned = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x3x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %exp, %turned : tensor<1x3x4x2xf32, #npu.layout<NHWC>>, tensor<1x2x3x4xf32, #npu.layout<NCHW>>
// REPORT-NEXT: layout-optimal: 3 transposes (3 absorbed), 288 bytes, 672 bytes travel: proved minimum
// APART:       groups: 4, 0 of them of several ops
// APART:       bytes that travel: 1056: proved minimum
// APART-NEXT:  absorbed transposes: 0 of 2
// TOGETHER:      groups: 2, 2 of them of several ops
// TOGETHER:      bytes that travel: 672: proved minimum
// TOGETHER-NEXT: absorbed transposes: 3 of 3
func.func @more_transposes(%x: tensor<1x3x4x2xf32, #npu.layout<NHWC>>) -> (tensor<1x3x4x2xf32, #npu.layout<NHWC>>, tensor<1x2x3x4xf32, #npu.layout<NCHW>>) {
  %kernel = npu.constant dense<0.5> : tensor<2x2x1x1xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %kernel
    : (tensor<1x3x4x2xf32, #npu.layout<NHWC>>, tensor<2x2x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>>
  %exp = npu.exp %conv : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
  %sum = npu.add %conv, %x : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
  %turned = npu.transpose %sum permutation = [0, 3, 1, 2] : (tensor<1x3x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x4xf32, #npu.layout<NCHW>>
  func.return %exp, %turned : tensor<1x3x4x2xf32, #npu.layout<NHWC>>, tensor<1x2x3x4xf32, #npu.layout<NCHW>>
}

// -----

/// Unknown sizes are assumed. A dead op would move data, so it goes.
// CHECK-LABEL: func.func @unknown
// CHECK-SAME:    (%x: tensor<?x4x2x3xf32, #npu.layout<NCHW>>) -> tensor<?x4x2x3xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %kernel = npu.constant dense<5.000000e-01> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %conv = npu.conv2d %x, %kernel : (tensor<?x4x2x3xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<?x4x2x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %sum = npu.relu %conv : tensor<?x4x2x3xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %sum : tensor<?x4x2x3xf32, #npu.layout<NCHW>>
// REPORT-NEXT: layout-optimal: 0 transposes (0 absorbed), ~0 bytes, ~192 bytes travel (unknown sizes count as 64, first ones as 1): proved minimum
// TOGETHER:      bytes that travel: 192: proved minimum
func.func @unknown(%x: tensor<?x4x2x3xf32, #npu.layout<NCHW>>) -> tensor<?x4x2x3xf32, #npu.layout<NCHW>> {
  %kernel = npu.constant dense<0.5> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %kernel
    : (tensor<?x4x2x3xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<?x4x2x3xf32, #npu.layout<NCHW>>
  %dead = npu.exp %x : tensor<?x4x2x3xf32, #npu.layout<NCHW>>
  %sum = npu.relu %conv : tensor<?x4x2x3xf32, #npu.layout<NCHW>>
  func.return %sum : tensor<?x4x2x3xf32, #npu.layout<NCHW>>
}

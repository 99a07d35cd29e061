// RUN: npu-opt %s --split-input-file --target=%S/../targets/Inputs/costs.toml --layout-preset --why=soft -o %t.mlir 2>&1 | filecheck %s --match-full-lines
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/travel.toml --layout-preset --why=soft -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix TRAVEL
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/travel.toml --layout-optimal --what-if --why=soft -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix WHAT-IF
// RUN: npu-opt %s --split-input-file --target=%S/../targets/Inputs/costs.toml --layout-optimal --what-if -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix PRICES

/// The minimum beside the program of a preset, in the unit of the target: fewer transposes may cost more.
// CHECK:      layout-preset: %soft stays in NCHW
// CHECK-NEXT:   no demand on target costs reaches it
// CHECK-NEXT:   and argument %x keeps NCHW
// CHECK-NEXT:   with --layout-optimal: 32768 to 22947.6 ns, but 2 transposes instead of 0, 32768 bytes instead of 0
// TRAVEL:      layout-preset: %soft stays in NCHW
// TRAVEL-NEXT:   no demand on target travel reaches it
// TRAVEL-NEXT:   and argument %x keeps NCHW
// WHAT-IF:      what if: 0 transposes (0 absorbed), 0 bytes, 65536 bytes travel; the changes are ranked by the bytes that travel
// PRICES:      what if: 2 transposes, 32768 bytes, 22947.6 ns; the changes are ranked by ns
// PRICES-NEXT:   with the best layouts of all arguments and results (--interface=free): 2 to 0 transposes, 32768 to 0 bytes, 22947.6 to 10 ns
// PRICES-NEXT:   with argument %x stored as NHWC (--interface=%x:NHWC): 2 to 1 transposes, 32768 to 16384 bytes, 22947.6 to 11478.8 ns
// PRICES-NEXT:   with output 0 of @main stored as NHWC (--interface=output0:NHWC): 2 to 1 transposes, 32768 to 16384 bytes, 22947.6 to 11478.8 ns
func.func @main(%x: tensor<1x16x16x16xf32, #npu.layout<NCHW>>) -> tensor<1x16x16x16xf32, #npu.layout<NCHW>> {
  %soft = npu.softmax %x axis = 1 : tensor<1x16x16x16xf32, #npu.layout<NCHW>>
  %r = npu.relu %soft : tensor<1x16x16x16xf32, #npu.layout<NCHW>>
  return %r : tensor<1x16x16x16xf32, #npu.layout<NCHW>>
}

// -----

/// Both programs are taken in their best groups where bytes travel. `--why` of `layout-optimal` tries no changes then.
// TRAVEL-NEXT: layout-preset: %soft is stored in NCHW instead of NHWC
// TRAVEL-NEXT:   because %conv conv2d demands NCHW of data (travel.toml:11)
// TRAVEL-NEXT:   against argument %x, which is NHWC: transposed to NCHW (96 bytes)
// TRAVEL-NEXT:   against %turned transpose reads NHWC in the program as well: transposed from NCHW to NHWC (96 bytes)
// TRAVEL-NEXT:   against output 0 of @more_transposes keeps NHWC: transposed from NCHW to NHWC (96 bytes)
// TRAVEL-NEXT:   with --layout-optimal: 1056 to 672 bytes travel, but 3 transposes instead of 2, 288 bytes instead of 192
// WHAT-IF:      layout-optimal: %soft stays in NHWC
// WHAT-IF:        in all: 3 transposes (3 absorbed), 288 bytes, 672 bytes travel: proved minimum
// WHAT-IF-NEXT:   single changes are not tried with cost=traffic: --what-if solves the program again for each of them
// WHAT-IF-NEXT: what if: 3 transposes (3 absorbed), 288 bytes, 672 bytes travel; the changes are ranked by the bytes that travel
// WHAT-IF-NEXT:   nothing is saved with the best layouts of all arguments and results (--interface=free), nor without the demand of conv2d on data (travel.toml:11), nor with output 1 of @more_transposes stored as NHWC (--interface=output1:NHWC), nor with argument %x stored in another layout, nor with output 0 of @more_transposes stored in another layout
func.func @more_transposes(%x: tensor<1x3x4x2xf32, #npu.layout<NHWC>>) -> (tensor<1x3x4x2xf32, #npu.layout<NHWC>>, tensor<1x2x3x4xf32, #npu.layout<NCHW>>) {
  %kernel = npu.constant dense<0.5> : tensor<2x2x1x1xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %kernel
    : (tensor<1x3x4x2xf32, #npu.layout<NHWC>>, tensor<2x2x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>>
  %exp = npu.exp %conv : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
  %soft = npu.add %conv, %x : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
  %turned = npu.transpose %soft permutation = [0, 3, 1, 2] : (tensor<1x3x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x3x4xf32, #npu.layout<NCHW>>
  func.return %exp, %turned : tensor<1x3x4x2xf32, #npu.layout<NHWC>>, tensor<1x2x3x4xf32, #npu.layout<NCHW>>
}

// RUN: npu-opt %s --split-input-file --target=%S/Inputs/words.toml --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/words_costs.toml --layout-optimal --stats -o %t.mlir 2>&1 | filecheck %s --check-prefix=CYCLES
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/words.toml --describe-ops --fuse-ops=dump=groups -o %t.mlir 2>&1 | filecheck %s --check-prefix=GROUPS
// RUN: filecheck %s --check-prefix=POOL < %t.mlir

/// The file says what is minimised, and one that extends it something else. One convolution is dilated, the other one has
/// two rows of pads: the demand is NCHW for both.
// CHECK:      layout-optimal: 0 transposes (0 absorbed), 0 bytes, 4160 bytes travel: proved minimum
// CYCLES:     layout-optimal: 0 transposes, 0 bytes, 0 cycles: proved minimum
func.func @conditions(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> (tensor<1x4x6x6xf32, #npu.layout<NCHW>>, tensor<1x4x12x8xf32, #npu.layout<NCHW>>) {
  %k = npu.constant dense<0.5> : tensor<4x4x2x2xf32, #npu.layout<OIHW>>
  %p = npu.constant dense<0.5> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
  %dilated = npu.conv2d %x, %k dilations = [2, 2] : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<4x4x2x2xf32, #npu.layout<OIHW>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
  %padded = npu.conv2d %x, %p pads = [2, 0, 2, 0] : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x12x8xf32, #npu.layout<NCHW>>
  return %dilated, %padded : tensor<1x4x6x6xf32, #npu.layout<NCHW>>, tensor<1x4x12x8xf32, #npu.layout<NCHW>>
}

// -----

/// The second rule counts for all others. The DMA moves the last axis while it loads; the way back is a round through
/// memory, as no stage behind the convolution transposes.
// CHECK-NEXT: layout-optimal: 2 transposes (1 absorbed), 2048 bytes, 4096 bytes travel: proved minimum
// CYCLES:     layout-optimal: 2 transposes, 2048 bytes, 2048 cycles: proved minimum
func.func @other(%x: tensor<1x4x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
  %conv = npu.conv2d %x, %k : (tensor<1x4x8x8xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x4x8x8xf32, #npu.layout<NCHW>>
  return %conv : tensor<1x4x8x8xf32, #npu.layout<NCHW>>
}

// -----

/// A transpose that keeps the last axis is neither absorbed nor possible.
// CHECK-NEXT: layout-optimal: 1 transpose (0 absorbed), 2048 bytes, 4096 bytes travel: proved minimum
// CHECK-NEXT: {{.*}}: note: words cannot do this transpose: Tensor to Tensor by [1, 0, 2] of 4x8x16 (2048 bytes, 2048 cycles)
// CYCLES:     {{.*}}: note: words_costs cannot do this transpose: Tensor to Tensor by [1, 0, 2] of 4x8x16 (2048 bytes, 2048 cycles)
func.func @rows(%x: tensor<4x8x16xf32, #npu.layout<Tensor>>) -> tensor<8x4x16xf32, #npu.layout<Tensor>> {
  %t = npu.transpose %x permutation = [1, 0, 2] : (tensor<4x8x16xf32, #npu.layout<Tensor>>) -> tensor<8x4x16xf32, #npu.layout<Tensor>>
  return %t : tensor<8x4x16xf32, #npu.layout<Tensor>>
}

// -----

/// An injective op and a reduction take the elementwise op in front, an out-fusable one that behind.
// GROUPS-LABEL: @kinds
// GROUPS-NEXT:  node[0], argument %x : tensor<4x8xf32> group=0
// GROUPS-NEXT:  node[1], %a = npu.relu(%x) group=1
// GROUPS-NEXT:  node[2], %take = npu.opaque(%a) group=1
// GROUPS-NEXT:  node[3], %b = npu.relu(%take) group=2
// GROUPS-NEXT:  node[4], %sum = npu.opaque(%b) group=2
// GROUPS-NEXT:  node[5], %c = npu.relu(%sum) group=3
// GROUPS-NEXT:  node[6], %product = npu.opaque(%c) group=4
// GROUPS-NEXT:  node[7], %d = npu.relu(%product) group=4
func.func @kinds(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = npu.relu %x : tensor<4x8xf32>
  %take = npu.opaque "vendor.take"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = npu.relu %take : tensor<4x8xf32>
  %sum = npu.opaque "vendor.sum"(%b) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = npu.relu %sum : tensor<4x8xf32>
  %product = npu.opaque "vendor.product"(%c) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = npu.relu %product : tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}

// -----

/// The pool means features with their channels first.
// POOL: %p = npu.vendor_pool "vendor.pool"(%x) written_in = <NCHW> data_layout = <NCHW> : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
func.func @pool(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> {
  %p = npu.opaque "vendor.pool"(%x) : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return %p : tensor<1x4x4x4xf32>
}

// RUN: npu-opt %s --target=%S/Inputs/preferred_blocks.toml --layout-optimal --remarks --split-input-file -o %t.mlir 2>&1 | filecheck %s
// RUN: filecheck %s --input-file %t.mlir --check-prefix PLACED
// RUN: npu-opt %s --target=%S/Inputs/preferred_blocks.toml --layout-preset --split-input-file -o %t.preset.mlir
// RUN: diff %t.mlir %t.preset.mlir
// RUN: npu-opt %s --target=%S/Inputs/preferred_blocks.toml --layout-preset-npu=strategy=record --split-input-file -o %t.preset.mlir
// RUN: diff %t.mlir %t.preset.mlir
// RUN: npu-opt %s --target=%S/Inputs/preferred_blocks.toml --layout-optimal --why=%y --split-input-file -o %t.why.mlir 2>&1 | filecheck %s --check-prefix WHY
// RUN: npu-opt --check-target %S/Inputs/preferred_blocks.toml | filecheck %s --check-prefix TARGET
// RUN: mkdir -p %t.sizes %t.limit %t.second %t.class
// RUN: sed 's/"NC1HWC0"\]/"NCHW16c, C = 24"]/' %S/Inputs/preferred_blocks.toml > %t.sizes/preferred_blocks.toml
// RUN: not npu-opt --check-target %t.sizes/preferred_blocks.toml 2>&1 | filecheck %s --check-prefix SIZES
// RUN: sed 's/"NC1HWC0"\]/"NCDHW16c"]/' %S/Inputs/preferred_blocks.toml > %t.limit/preferred_blocks.toml
// RUN: not npu-opt --check-target %t.limit/preferred_blocks.toml 2>&1 | filecheck %s --check-prefix LIMIT
// RUN: sed 's/"NC1HWC0"\]/"NC1HWC0", "NHWC"]/' %S/Inputs/preferred_blocks.toml > %t.second/preferred_blocks.toml
// RUN: not npu-opt --check-target %t.second/preferred_blocks.toml 2>&1 | filecheck %s --check-prefix SECOND
// RUN: sed 's/"NC1HWC0"\]/"OIHW16o"]/' %S/Inputs/preferred_blocks.toml > %t.class/preferred_blocks.toml
// RUN: not npu-opt --check-target %t.class/preferred_blocks.toml 2>&1 | filecheck %s --check-prefix CLASS

/// The target has nothing in vain.
// TARGET: {{.*}}preferred_blocks.toml: 0 errors, 0 notes

/// A preferred layout has no sizes, and one rank: that of its axes, not of their pieces.
// SIZES:  :11: error: 'NCHW16c, C = 24' has sizes of one value: leave them out, as in 'NCHW16c'
// LIMIT:  :11: error: NCDHW16c is of rank 5, the target's limit is 4
// SECOND: :11: error: a second feature layout of rank 4: NHWC
// CLASS:  :11: error: OIHW16o is not a feature layout

/// The preferred layouts are demanded as if they were written in the demands, with padding.
// CHECK:      preferred_blocks.mlir:[[# @LINE + 13]]:8: remark: inserted pack NCHW to NCHW16c, C = 24, zeros of 1x24x4x4 (2048 bytes) by layout-optimal: %y conv2d demands NCHW16c of data (preferred_blocks.toml:19), but argument %x is NCHW
// CHECK-NEXT: preferred_blocks.mlir:[[# @LINE + 14]]:3: remark: inserted unpack NCHW16c, C = 24, zeros to NCHW of 1x2x4x4x16 (2048 bytes) by layout-optimal: output 0 of @padded keeps NCHW, but %p avg_pool demands NCHW16c of input (preferred_blocks.toml:21)
// PLACED-LABEL: func.func @padded
// PLACED-NEXT:  %x_1 = npu.pack %x : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// PLACED-NEXT:  %w = npu.constant dense<5.000000e-01> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
// PLACED-NEXT:  %w_1 = npu.pack %w : (tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>
// PLACED-NEXT:  %y = npu.conv2d %x_1, %w_1 : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>, tensor<2x2x1x1x16x16xf32, #npu.layout<OIHW16i16o, O = 24, I = 24, zeros>>) -> tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// PLACED-NEXT:  %p = npu.avg_pool %y window = [1, 1] : tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>
// PLACED-NEXT:  %p_1 = npu.unpack %p : (tensor<1x2x4x4x16xf32, #npu.layout<NCHW16c, C = 24, zeros>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
// WHY:      layout-optimal: %y is stored in NCHW16c, C = 24, zeros instead of NCHW
// WHY-NEXT:   because %y conv2d demands NCHW16c of data (preferred_blocks.toml:19)
func.func @padded(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %p = npu.avg_pool %y window = [1, 1] : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  return %p : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// A convolution reads few channels as they are, and computes the preferred blocks.
// PLACED-LABEL: func.func @image
// PLACED:       %y = npu.conv2d %x, %w_1 : (tensor<1x3x4x4xf32, #npu.layout<NCHW>>, tensor<1x3x1x1x16xf32, #npu.layout<OIHW16o>>) -> tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>
// PLACED-NEXT:  %y_1 = npu.unpack %y : (tensor<1x1x4x4x16xf32, #npu.layout<NCHW16c>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
func.func @image(%x: tensor<1x3x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<16x3x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x3x4x4xf32, #npu.layout<NCHW>>, tensor<16x3x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>>
  return %y : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// At another rank the preferred layouts have no blocks.
// PLACED-LABEL: func.func @lines
// PLACED:       %x_1 = npu.transpose %x permutation = [0, 2, 1] : (tensor<1x4x16xf32, #npu.layout<NWC>>) -> tensor<1x16x4xf32, #npu.layout<NCW>>
// PLACED:       %y = npu.conv1d %x_1, %w : (tensor<1x16x4xf32, #npu.layout<NCW>>, tensor<16x16x1xf32, #npu.layout<OIW>>) -> tensor<1x16x4xf32, #npu.layout<NCW>>
func.func @lines(%x: tensor<1x4x16xf32, #npu.layout<NWC>>) -> tensor<1x4x16xf32, #npu.layout<NWC>> {
  %w = npu.constant dense<0.5> : tensor<16x16x1xf32, #npu.layout<OIW>>
  %y = npu.conv1d %x, %w : (tensor<1x4x16xf32, #npu.layout<NWC>>, tensor<16x16x1xf32, #npu.layout<OIW>>) -> tensor<1x4x16xf32, #npu.layout<NWC>>
  return %y : tensor<1x4x16xf32, #npu.layout<NWC>>
}

// -----

/// Groups that do not fill whole blocks are said to stay unchanged.
// CHECK: note: layout-optimal: %y conv2d stays unchanged: no form of it meets NCHW16c of data with OIHW16i16o of kernel (preferred_blocks.toml:19)
// PLACED-LABEL: func.func @groups
// PLACED:       %y = npu.conv2d %x, %w groups = 2 : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x12x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
func.func @groups(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x12x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w groups = 2 : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x12x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  return %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Nothing is demanded of an op alone.
// PLACED-LABEL: func.func @nothing_demanded
// PLACED-NEXT:  %y = npu.relu %x : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
func.func @nothing_demanded(%x: tensor<1x16x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x4xf32, #npu.layout<NCHW>> {
  %y = npu.relu %x : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
  return %y : tensor<1x16x4x4xf32, #npu.layout<NCHW>>
}

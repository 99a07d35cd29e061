// RUN: npu-opt %s --split-input-file --target=%S/Inputs/choices.toml --layout-optimal --stats --remarks 2>&1 > /dev/null | filecheck %s
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/choices.toml --layout-optimal="cost=bytes" --stats 2>&1 > /dev/null | filecheck %s --check-prefix=BYTES
// RUN: npu-opt %s --split-input-file --target=%S/Inputs/choices.toml --layout-preset --remarks 2>&1 > /dev/null | filecheck %s --check-prefix=PRESET

/// The present order meets a later choice, whose price is less than that of two transposes; a preset takes the first one.
// CHECK:      layout-optimal: 0 transposes, 0 bytes, 1024 cycles: proved minimum
// BYTES:      layout-optimal: 0 transposes, 0 bytes: proved minimum
// PRESET:      {{.*}}: remark: inserted transpose NCHW to NHWC of 1x8x8x8 (2048 bytes, 2048 cycles) by layout-preset: %c conv2d demands NHWC of data (choices.toml:10)
// PRESET-NEXT: {{.*}}: remark: inserted transpose NHWC to NCHW of 1x8x8x8 (2048 bytes, 2048 cycles) by layout-preset: output 0 of @kept keeps NCHW
func.func @kept(%x: tensor<1x8x8x8xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x8xf32, #npu.layout<NCHW>> {
  %c = npu.conv2d %x, %w : (tensor<1x8x8x8xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x8x8xf32, #npu.layout<NCHW>>
  return %c : tensor<1x8x8x8xf32, #npu.layout<NCHW>>
}

// -----

/// A price above that of two transposes is not paid; `cost=bytes` knows no prices.
// CHECK-NEXT: layout-optimal: 2 transposes, 2560 bytes, 2560 cycles: proved minimum
// CHECK-NEXT: {{.*}}: remark: inserted transpose NCHW to NHWC of 1x8x8x8 (2048 bytes, 2048 cycles) by layout-optimal: %p max_pool demands NHWC or NCHW (10000 cycles) of input (choices.toml:11), but argument %x is NCHW
// CHECK-NEXT: {{.*}}: remark: inserted transpose NHWC to NCHW of 1x4x4x8 (512 bytes, 512 cycles) by layout-optimal: output 0 of @too_dear keeps NCHW, but %p max_pool demands NHWC or NCHW (10000 cycles) of input (choices.toml:11)
// BYTES-NEXT: layout-optimal: 0 transposes, 0 bytes: proved minimum
// PRESET-NEXT: {{.*}}: remark: inserted transpose NCHW to NHWC of 1x8x8x8 (2048 bytes, 2048 cycles) by layout-preset: %p max_pool demands NHWC of input (choices.toml:11)
// PRESET-NEXT: {{.*}}: remark: inserted transpose NHWC to NCHW of 1x4x4x8 (512 bytes, 512 cycles) by layout-preset: output 0 of @too_dear keeps NCHW
func.func @too_dear(%x: tensor<1x8x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>> {
  %p = npu.max_pool %x window = [2, 2] strides = [2, 2] : (tensor<1x8x8x8xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  return %p : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Of a list only the layouts of the value's rank count.
// CHECK-NEXT: layout-optimal: 2 transposes, 768 bytes, 768 cycles: proved minimum
// CHECK-NEXT: {{.*}}: remark: inserted transpose NCW to NWC of 2x8x8 (512 bytes, 512 cycles) by layout-optimal: %p max_pool demands NWC of input (choices.toml:11), but argument %x is NCW
// CHECK-NEXT: {{.*}}: remark: inserted transpose NWC to NCW of 2x4x8 (256 bytes, 256 cycles) by layout-optimal: output 0 of @rank keeps NCW, but %p max_pool demands NWC of input (choices.toml:11)
// BYTES-NEXT: layout-optimal: 2 transposes, 768 bytes: proved minimum
// PRESET-NEXT: {{.*}}: remark: inserted transpose NCW to NWC of 2x8x8 (512 bytes, 512 cycles) by layout-preset: %p max_pool demands NWC of input (choices.toml:11)
// PRESET-NEXT: {{.*}}: remark: inserted transpose NWC to NCW of 2x4x8 (256 bytes, 256 cycles) by layout-preset: output 0 of @rank keeps NCW
func.func @rank(%x: tensor<2x8x8xf32, #npu.layout<NCW>>) -> tensor<2x8x4xf32, #npu.layout<NCW>> {
  %p = npu.max_pool %x window = [2] strides = [2] : (tensor<2x8x8xf32, #npu.layout<NCW>>) -> tensor<2x8x4xf32, #npu.layout<NCW>>
  return %p : tensor<2x8x4xf32, #npu.layout<NCW>>
}

// -----

/// Choices that belong together: data in NCHW needs a kernel in OIHW, so this kernel is converted, which costs less than two transposes of data.
// CHECK-NEXT: layout-optimal: 1 transpose, 1152 bytes, 1736 cycles: proved minimum
// CHECK-NEXT: {{.*}}: remark: inserted transpose HWOI to OIHW of 3x3x8x4 (1152 bytes, 1152 cycles) by layout-optimal: argument %x is NCHW (through %c conv_transpose2d), but argument %w is HWOI
// BYTES-NEXT: layout-optimal: 1 transpose, 1152 bytes: proved minimum
// PRESET-NEXT: {{.*}}: remark: inserted transpose NCHW to NHWC of 1x8x8x8 (2048 bytes, 2048 cycles) by layout-preset: %c conv_transpose2d demands NHWC of data (choices.toml:13)
// PRESET-NEXT: {{.*}}: remark: inserted transpose NHWC to NCHW of 1x10x10x4 (1600 bytes, 1600 cycles) by layout-preset: output 0 of @together keeps NCHW
func.func @together(%x: tensor<1x8x8x8xf32, #npu.layout<NCHW>>, %w: tensor<3x3x8x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x10x10xf32, #npu.layout<NCHW>> {
  %c = npu.conv_transpose2d %x, %w : (tensor<1x8x8x8xf32, #npu.layout<NCHW>>, tensor<3x3x8x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x10x10xf32, #npu.layout<NCHW>>
  return %c : tensor<1x4x10x10xf32, #npu.layout<NCHW>>
}

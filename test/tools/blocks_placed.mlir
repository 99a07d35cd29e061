// RUN: npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-optimal --split-input-file --remarks 2>&1 >%t.mlir | filecheck %s --match-full-lines
// RUN: npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-preset --split-input-file --remarks=json 2>&1 >%t.mlir | filecheck %s --check-prefix=JSON
// RUN: npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-preset=strategy=naive --split-input-file --remarks 2>&1 >%t.mlir | filecheck %s --check-prefix=NAIVE
// RUN: npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-optimal --split-input-file --why=@zeros:%%t 2>&1 >%t.mlir | filecheck %s --check-prefix=WHY --match-full-lines
// RUN: npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-preset --split-input-file --why=@tensor:%%y 2>&1 >%t.mlir | filecheck %s --check-prefix=PRESET --match-full-lines
// RUN: npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-preset=strategy=naive --split-input-file --why=@zeros:%%y 2>&1 >%t.mlir | filecheck %s --check-prefix=ALONE --match-full-lines
// RUN: npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-preset --split-input-file --remarks 2>&1 >%t.mlir | filecheck %s --check-prefix=REGIONS
// RUN: npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-optimal --split-input-file -t mermaid | filecheck %s --check-prefix=GRAPH
// RUN: not npu-opt %s --target=%S/../passes/Inputs/blocks.toml --layout-optimal --split-input-file --expect-transposes=12 -o %t.mlir 2>&1 | filecheck %s --check-prefix=EXPECT
// RUN: npu-opt %S/../../examples/two_branches.mlir --target=daven --layout-optimal --report %t.html -o %t.mlir
// RUN: filecheck %s --check-prefix=PAGE < %t.html

// PAGE: ["minimum","proved minimum of bytes; the input program is not in the layouts that the target demands"]
// PAGE-SAME: "packs":2,"packed_bytes":3072

/// A sigmoid of zeros is not zero: a pack writes zeros for the relu behind it, which keeps them.
// CHECK: {{.*}}: remark: inserted pack NCHW to NCHW16c, C = 24, zeros of 1x24x4x4 (2048 bytes) by layout-optimal: %y conv2d demands NCHW16c of data (blocks.toml:13), but argument %x is NCHW
// CHECK-NEXT: {{.*}}: remark: inserted pack NCHW16c, C = 24 to NCHW16c, C = 24, zeros of 1x2x4x4x16 (2048 bytes) by layout-optimal: %r relu reads zeros as padding, but %t sigmoid leaves anything there
// CHECK-NEXT: {{.*}}: remark: inserted unpack NCHW16c, C = 24, zeros to NCHW of 1x2x4x4x16 (2048 bytes) by layout-optimal: output 0 of @zeros keeps NCHW, but %z conv2d demands NCHW16c of data (blocks.toml:13)
// JSON: "action": "inserted", "pass": "layout-preset", "place": "{{.*}}", "kind": "pack", "transpose": "NCHW to NCHW16c, C = 24, zeros", "shape": "1x24x4x4", "bytes": 2048, "not_counted": null, "reasons": ["layout-preset: %y conv2d demands NCHW16c of data (blocks.toml:13), but argument %x is NCHW"]}
// NAIVE: remark: inserted pack NCHW to NCHW16c, C = 24, zeros of 1x24x4x4 (2048 bytes) by layout-preset: %y conv2d demands NCHW16c of data (blocks.toml:13)
// NAIVE-NEXT: remark: inserted unpack NCHW16c, C = 24, zeros to NCHW of 1x2x4x4x16 (2048 bytes) by layout-preset: %y is converted back, as each op is wrapped alone
// WHY:      layout-optimal: %t is stored in NCHW16c, C = 24 instead of NCHW
// WHY-NEXT:   because %y conv2d demands NCHW16c of data (blocks.toml:13)
// WHY-NEXT:   packed for %r relu (2048 bytes), because %r relu reads zeros as padding, but %t sigmoid leaves anything there
// WHY-NEXT:   in all: 3 conversions, 6144 bytes: proved minimum
// WHY-NEXT:   nothing is saved without the demand of conv2d on data (blocks.toml:13)
// ALONE:      layout-preset: %y is stored in NCHW16c, C = 24, zeros instead of NCHW
// ALONE-NEXT:   because %y conv2d demands NCHW16c of data (blocks.toml:13)
// ALONE-NEXT:   against %y is converted back, as each op is wrapped alone: unpacked from NCHW16c, C = 24, zeros to NCHW (2048 bytes)
// ALONE-NEXT:   against argument %x, which is NCHW: packed to NCHW16c, C = 24, zeros (2048 bytes)
// GRAPH:      pack_3("pack<br/>%t_1"):::placed
// GRAPH:      sigmoid_1 -- "NCHW16c C #61; 24" --> pack_3
// EXPECT:      error: expected at most 12 transposes, found 13
// EXPECT-NEXT: note: pack NCHW to NCHW16c, C = 24, zeros of 1x24x4x4 (2048 bytes): layout-optimal: %y conv2d demands NCHW16c of data (blocks.toml:13), but argument %x is NCHW
func.func @zeros(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %t = npu.sigmoid %y : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relu %t : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %r, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x24x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// 24 channels end in the middle of a block, where the concat goes on.
// CHECK-NEXT: {{.*}}: remark: inserted pack NCHW to NCHW16c, C = 24, zeros of 1x24x4x4 (2048 bytes) by layout-optimal: %y conv2d demands NCHW16c of data (blocks.toml:13), but argument %x is NCHW
// CHECK-NEXT: {{.*}}: remark: inserted unpack NCHW16c, C = 24, zeros to NCHW of 1x2x4x4x16 (2048 bytes) by layout-optimal: %c concat takes no blocks, as it names places inside of them, but %y conv2d demands NCHW16c of data (blocks.toml:13)
// CHECK-NEXT: {{.*}}: remark: inserted pack NCHW to NCHW16c of 1x48x4x4 (3072 bytes) by layout-optimal: %z conv2d demands NCHW16c of data (blocks.toml:13), but %c concat takes no blocks, as it names places inside of them
// CHECK-NEXT: {{.*}}: remark: inserted unpack NCHW16c to NCHW of 1x3x4x4x16 (3072 bytes) by layout-optimal: output 0 of @places keeps NCHW, but %z conv2d demands NCHW16c of data (blocks.toml:13)
func.func @places(%x: tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x48x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<24x24x1x1xf32, #npu.layout<OIHW>>
  %v = npu.constant dense<0.5> : tensor<48x48x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<24x24x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x24x4x4xf32, #npu.layout<NCHW>>
  %c = npu.concat %y, %y axis = 1 : (tensor<1x24x4x4xf32, #npu.layout<NCHW>>, tensor<1x24x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x48x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %c, %v : (tensor<1x48x4x4xf32, #npu.layout<NCHW>>, tensor<48x48x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x48x4x4xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x48x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// The axes of a Tensor are not those of the blocks: a matrix product and a softmax of its rows take none.
// CHECK-NEXT: {{.*}}: remark: inserted pack NCHW to NCHW16c of 1x32x4x4 (2048 bytes) by layout-optimal: %y conv2d demands NCHW16c of data (blocks.toml:13), but argument %x is NCHW
// CHECK-NEXT: {{.*}}: remark: inserted unpack NCHW16c to NCHW of 1x2x4x4x16 (2048 bytes) by layout-optimal: %p matmul takes no blocks (through %e softmax), but %y conv2d demands NCHW16c of data (blocks.toml:13)
// CHECK-NEXT: {{.*}}: remark: inserted pack NCHW to NCHW16c of 1x32x4x4 (2048 bytes) by layout-optimal: %z conv2d demands NCHW16c of data (blocks.toml:13), but %p matmul takes no blocks
// CHECK-NEXT: {{.*}}: remark: inserted unpack NCHW16c to NCHW of 1x2x4x4x16 (2048 bytes) by layout-optimal: output 0 of @tensor keeps NCHW, but %z conv2d demands NCHW16c of data (blocks.toml:13)
// PRESET:      layout-preset: %y is stored in NCHW16c instead of NCHW
// PRESET-NEXT:   because %y conv2d demands NCHW16c of data (blocks.toml:13)
// PRESET-NEXT:   unpacked for %e softmax (2048 bytes), because %e softmax takes no blocks, as its values have other axes, but %y conv2d demands NCHW16c of data (blocks.toml:13)
func.func @tensor(%x: tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<32x32x1x1xf32, #npu.layout<OIHW>>
  %m = npu.constant dense<0.5> : tensor<16x16xf32, #npu.layout<Tensor>>
  %y = npu.conv2d %x, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %f = npu.reshape %y : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>) -> tensor<32x16xf32, #npu.layout<Tensor>>
  %e = npu.softmax %f axis = 1 : tensor<32x16xf32, #npu.layout<Tensor>>
  %p = npu.matmul %e, %m : (tensor<32x16xf32, #npu.layout<Tensor>>, tensor<16x16xf32, #npu.layout<Tensor>>) -> tensor<32x16xf32, #npu.layout<Tensor>>
  %g = npu.reshape %p : (tensor<32x16xf32, #npu.layout<Tensor>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  %z = npu.conv2d %g, %w : (tensor<1x32x4x4xf32, #npu.layout<NCHW>>, tensor<32x32x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x32x4x4xf32, #npu.layout<NCHW>>
  func.return %z : tensor<1x32x4x4xf32, #npu.layout<NCHW>>
}

// -----

/// Channels of unknown number are in no blocks.
// CHECK-NEXT: {{.*}}: remark: inserted pack NCHW to NCHW16c of 1x16x4x4 (1024 bytes) by layout-optimal: %y conv2d demands NCHW16c of data (blocks.toml:13), but argument %x is NCHW
// CHECK-NEXT: {{.*}}: remark: inserted unpack NCHW16c, C = 1, zeros to NCHW of 1x1x4x4x16 (1024 bytes) by layout-optimal: output 0 of @unknown keeps NCHW (through %s add), but %y conv2d demands NCHW16c of data (blocks.toml:13)
// REGIONS: inserted unpack NCHW16c, C = 1, zeros to NCHW of 1x1x4x4x16 (1024 bytes) by layout-preset: %s add takes no blocks, as it has an axis of unknown size, but %y conv2d demands NCHW16c of data (blocks.toml:13)
func.func @unknown(%x: tensor<1x16x4x4xf32, #npu.layout<NCHW>>, %d: tensor<1x?x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x?x4x4xf32, #npu.layout<NCHW>> {
  %w = npu.constant dense<0.5> : tensor<1x16x1x1xf32, #npu.layout<OIHW>>
  %y = npu.conv2d %x, %w : (tensor<1x16x4x4xf32, #npu.layout<NCHW>>, tensor<1x16x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x4xf32, #npu.layout<NCHW>>
  %s = npu.add %y, %d : (tensor<1x1x4x4xf32, #npu.layout<NCHW>>, tensor<1x?x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x?x4x4xf32, #npu.layout<NCHW>>
  func.return %s : tensor<1x?x4x4xf32, #npu.layout<NCHW>>
}

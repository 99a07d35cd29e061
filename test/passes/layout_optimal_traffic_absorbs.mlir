// RUN: npu-opt %s --target=%S/Inputs/loader.toml --layout-optimal="cost=traffic" --stats --split-input-file 2>%t | filecheck %s
// RUN: filecheck %s --match-full-lines --check-prefix=LOADER < %t
// RUN: npu-opt %s --target=%S/Inputs/loader.toml --layout-optimal="cost=traffic" --fuse-ops-hw="strategy=cover dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=FUSED
// RUN: npu-opt %s --target=%S/Inputs/collector.toml --layout-optimal="cost=traffic" --stats --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=FREE

/// The loader permutes what it reads, so the sum is in the order in which its result leaves.
// CHECK-LABEL: func.func @loaded
// CHECK-SAME:    (%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %y: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %sum = npu.add %x, %y_1 : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %sum : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %relu : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// LOADER:      layout-optimal: 1 transpose (1 absorbed), 512 bytes, 1536 bytes travel: proved minimum
// FUSED:       bytes that travel: 1536: proved minimum
// FUSED-NEXT:  absorbed transposes: 1 of 1
// FREE:        layout-optimal: 1 transpose (1 absorbed), 512 bytes, 1536 bytes travel: proved minimum
func.func @loaded(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %y: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %a = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %sum = npu.add %a, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %relu = npu.relu %sum : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %z = npu.transpose %relu permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %z : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// No stage of the loader runs the clip. It reads what the group of the relu has transposed, and writes because of it; if
/// transposes are free, one group runs both. What the interface costs is said as for other costs.
// CHECK-LABEL: func.func @outside
// LOADER-NEXT: layout-optimal: 1 transpose (1 absorbed), 512 bytes, 2560 bytes travel: proved minimum
// FUSED:       bytes that travel: 2560: proved minimum
// FUSED-NEXT:  absorbed transposes: 1 of 1
// FREE-NEXT:   layout-optimal: 1 transpose (1 absorbed), 512 bytes, 1536 bytes travel: proved minimum
func.func @outside(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> (tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x4x4xf32, #npu.layout<NCHW>>) {
  %a = npu.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %relu = npu.relu %a : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %clip = npu.clip %a min = 0.0 max = 6.0 : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  func.return %relu, %clip : tensor<1x8x4x4xf32, #npu.layout<NCHW>>, tensor<1x8x4x4xf32, #npu.layout<NCHW>>
}

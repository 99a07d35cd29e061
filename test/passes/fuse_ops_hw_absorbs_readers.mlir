// RUN: npu-opt %s --target=%S/Inputs/late_loader.toml --fuse-ops-hw="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines
// RUN: npu-opt %s --target=%S/Inputs/late_loader.toml --fuse-ops-hw="dump=groups strategy=cover" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=COVER

/// The relu reads the transpose in front of the stage that could do it, so the sum, behind that stage, does not collect it.
// CHECK:       @in_front
// CHECK-NEXT:  ## 1: npu.transpose added to group 1 on load
// CHECK-NEXT:  ## 2: npu.relu added to group 0 on act
// CHECK-NEXT:  ## 3: npu.add added to group 0 on join
// CHECK:       bytes that travel: 384
// CHECK-NEXT:  absorbed transposes: 0 of 1
// COVER:       @in_front
// COVER:       bytes that travel: 384: proved minimum
// COVER-NEXT:  absorbed transposes: 0 of 1
func.func @in_front(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %turned = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %relu = npu.relu %turned : tensor<6x4xf32>
  %sum = npu.add %relu, %turned : tensor<6x4xf32>
  func.return %sum : tensor<6x4xf32>
}

// -----

/// The stage leads to all that read the transpose, so it is loaded for the first of them.
// CHECK:       @behind
// CHECK-NEXT:  ## 2: npu.transpose collected into group 0
// CHECK-NEXT:  ## 3: npu.add added to group 0 on join
// CHECK-NEXT:  ## 4: npu.mul added to group 0 on store
// CHECK:       bytes that travel: 288
// CHECK-NEXT:  absorbed transposes: 1 of 1
// COVER:       @behind
// COVER:       bytes that travel: 288: proved minimum
// COVER-NEXT:  absorbed transposes: 1 of 1
func.func @behind(%x: tensor<4x6xf32>, %y: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %turned = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %sum = npu.add %turned, %y : tensor<6x4xf32>
  %product = npu.mul %sum, %turned : tensor<6x4xf32>
  func.return %product : tensor<6x4xf32>
}

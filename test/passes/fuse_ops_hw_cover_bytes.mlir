// RUN: npu-opt %s --target=%S/Inputs/engine.toml --fuse-ops-hw="strategy=cover dump=groups" -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=BYTES
// RUN: npu-opt %s --target=%S/Inputs/engine.toml --fuse-ops-hw="strategy=cover" --why-not-fused -o %t.mlir 2>&1 | filecheck %s --check-prefix=WHY
// RUN: not npu-opt %s --fuse-ops-hw="strategy=covr" 2>&1 | filecheck %s --check-prefix=WRONG

/// The engine runs two ops in a pass: the large value stays inside in three groups; two groups would let it travel.
// BYTES:       ## 1: npu.relu added to group 0 on engine
// BYTES-NEXT:  ## 2: npu.upsample added to group 1 on engine
// BYTES-NEXT:  ## 3: npu.max_pool added to group 1 on engine
// BYTES-NEXT:  ## 4: npu.relu added to group 2 on engine
// BYTES-NEXT:  groups: 3, 1 of them of several ops
// BYTES-NEXT:    engine: 4
// BYTES-NEXT:  bytes that stay on the chip: 4096
// BYTES-NEXT:  bytes that travel: 1536: proved minimum
// WHY: %a relu and %up upsample are not fused: no groups with both in one let fewer bytes travel
// WRONG:      npu-opt: error: argument --fuse-ops-hw: pass 'fuse-ops-hw': option strategy: expected greedy or cover, found 'covr' (did you mean 'cover'?)
func.func @main(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  %up = npu.upsample %a factors = [4, 4] data_layout = <NCHW> : (tensor<1x4x4x4xf32>) -> tensor<1x4x16x16xf32>
  %pool = npu.max_pool %up window = [4, 4] strides = [4, 4] data_layout = <NCHW> : (tensor<1x4x16x16xf32>) -> tensor<1x4x4x4xf32>
  %c = npu.relu %pool : tensor<1x4x4x4xf32>
  func.return %c : tensor<1x4x4x4xf32>
}

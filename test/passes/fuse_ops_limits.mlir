// RUN: npu-opt %s --fuse-ops="dump=groups max-depth=2" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=TWO
// RUN: npu-opt %s --fuse-ops="dump=groups max-depth=3" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=THREE
// RUN: npu-opt %s --fuse-ops="dump=groups opt-level=0" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines --check-prefix=NONE
// RUN: npu-opt %s --fuse-ops="opt-level=0" --split-input-file | filecheck %s --check-prefix=SAME

/// Groups of at most two and three ops; level 0 fuses nothing.
// TWO:      @four
// TWO-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// TWO-NEXT: node[1], %a = npu.relu(%x) group=1
// TWO-NEXT: node[2], %b = npu.abs(%a) group=1
// TWO-NEXT: node[3], %c = npu.neg(%b) group=2
// TWO-NEXT: node[4], %d = npu.exp(%c) group=2
// THREE:      @four
// THREE-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// THREE-NEXT: node[1], %a = npu.relu(%x) group=1
// THREE-NEXT: node[2], %b = npu.abs(%a) group=1
// THREE-NEXT: node[3], %c = npu.neg(%b) group=1
// THREE-NEXT: node[4], %d = npu.exp(%c) group=2
// NONE:      @four
// NONE-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// NONE-NEXT: node[1], %a = npu.relu(%x) group=1
// NONE-NEXT: node[2], %b = npu.abs(%a) group=2
// NONE-NEXT: node[3], %c = npu.neg(%b) group=3
// NONE-NEXT: node[4], %d = npu.exp(%c) group=4
// SAME-LABEL: func.func @four
// SAME-SAME:    (%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
// SAME-NEXT:    %a = npu.relu %x : tensor<1x4x4x4xf32>
// SAME-NEXT:    %b = npu.abs %a : tensor<1x4x4x4xf32>
// SAME-NEXT:    %c = npu.neg %b : tensor<1x4x4x4xf32>
// SAME-NEXT:    %d = npu.exp %c : tensor<1x4x4x4xf32>
// SAME-NEXT:    func.return %d : tensor<1x4x4x4xf32>
func.func @four(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  %b = npu.abs %a : tensor<1x4x4x4xf32>
  %c = npu.neg %b : tensor<1x4x4x4xf32>
  %d = npu.exp %c : tensor<1x4x4x4xf32>
  func.return %d : tensor<1x4x4x4xf32>
}

// -----

/// All ops on the ways to the dominator count: a diamond of four does not fit.
// TWO:      @diamond
// TWO-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// TWO-NEXT: node[1], %a = npu.relu(%x) group=1
// TWO-NEXT: node[2], %b = npu.abs(%a) group=2
// TWO-NEXT: node[3], %c = npu.neg(%a) group=3
// TWO-NEXT: node[4], %d = npu.add(%b, %c) group=2
// THREE:      @diamond
// THREE-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// THREE-NEXT: node[1], %a = npu.relu(%x) group=1
// THREE-NEXT: node[2], %b = npu.abs(%a) group=2
// THREE-NEXT: node[3], %c = npu.neg(%a) group=2
// THREE-NEXT: node[4], %d = npu.add(%b, %c) group=2
// NONE:      @diamond
// NONE-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// NONE-NEXT: node[1], %a = npu.relu(%x) group=1
// NONE-NEXT: node[2], %b = npu.abs(%a) group=2
// NONE-NEXT: node[3], %c = npu.neg(%a) group=3
// NONE-NEXT: node[4], %d = npu.add(%b, %c) group=4
// SAME-LABEL: func.func @diamond
// SAME-SAME:    (%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
// SAME-NEXT:    %a = npu.relu %x : tensor<1x4x4x4xf32>
// SAME-NEXT:    %b = npu.abs %a : tensor<1x4x4x4xf32>
// SAME-NEXT:    %c = npu.neg %a : tensor<1x4x4x4xf32>
// SAME-NEXT:    %d = npu.add %b, %c : tensor<1x4x4x4xf32>
// SAME-NEXT:    func.return %d : tensor<1x4x4x4xf32>
func.func @diamond(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = npu.relu %x : tensor<1x4x4x4xf32>
  %b = npu.abs %a : tensor<1x4x4x4xf32>
  %c = npu.neg %a : tensor<1x4x4x4xf32>
  %d = npu.add %b, %c : tensor<1x4x4x4xf32>
  func.return %d : tensor<1x4x4x4xf32>
}

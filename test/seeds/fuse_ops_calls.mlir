// RUN: npu-opt %s --fuse-ops="dump=graph" -o %t.mlir 2>&1 | filecheck %s --check-prefix=GRAPH --match-full-lines
// RUN: npu-opt %s --fuse-ops="dump=groups" -o %t.mlir 2>&1 | filecheck %s --check-prefix=GROUPS --match-full-lines

/// Arguments come first, used or not. A call of a function that is no group is opaque: the edge to it has kind 8, and
/// nothing is fused with it. The function that it calls is a graph of its own.
// GRAPH:      @main
// GRAPH-NEXT: node[0], argument %a : tensor<4x6xf32> outputs=[6:0, ]
// GRAPH-NEXT: node[1], argument %unused : tensor<4xf32> outputs=[]
// GRAPH-NEXT: node[2], argument %b : tensor<4x6xf32> outputs=[3:0, ]
// GRAPH-NEXT: node[3], %0 = npu.relu(%b) outputs=[4:8, ]
// GRAPH-NEXT: node[4], %1 = func.call(%0) outputs=[5:0, ]
// GRAPH-NEXT: node[5], %2 = npu.abs(%1) outputs=[6:0, ]
// GRAPH-NEXT: node[6], %3 = npu.add(%2, %a) outputs=[]
// GRAPH-NEXT: @other
// GRAPH-NEXT: node[0], argument %x : tensor<4x6xf32> outputs=[1:0, ]
// GRAPH-NEXT: node[1], %0 = npu.relu(%x) outputs=[2:0, ]
// GRAPH-NEXT: node[2], %1 = npu.neg(%0) outputs=[]
// GROUPS:      @main
// GROUPS-NEXT: node[0], argument %a : tensor<4x6xf32> group=0
// GROUPS-NEXT: node[1], argument %unused : tensor<4xf32> group=1
// GROUPS-NEXT: node[2], argument %b : tensor<4x6xf32> group=2
// GROUPS-NEXT: node[3], %0 = npu.relu(%b) group=3
// GROUPS-NEXT: node[4], %1 = func.call(%0) group=4
// GROUPS-NEXT: node[5], %2 = npu.abs(%1) group=5
// GROUPS-NEXT: node[6], %3 = npu.add(%2, %a) group=5
// GROUPS-NEXT: @other
// GROUPS-NEXT: node[0], argument %x : tensor<4x6xf32> group=0
// GROUPS-NEXT: node[1], %0 = npu.relu(%x) group=1
// GROUPS-NEXT: node[2], %1 = npu.neg(%0) group=1
func.func @main(%a: tensor<4x6xf32>, %unused: tensor<4xf32>, %b: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = npu.relu %b : tensor<4x6xf32>
  %1 = func.call @other(%0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = npu.abs %1 : tensor<4x6xf32>
  %3 = npu.add %2, %a : tensor<4x6xf32>
  func.return %3 : tensor<4x6xf32>
}
func.func private @other(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = npu.relu %x : tensor<4x6xf32>
  %1 = npu.neg %0 : tensor<4x6xf32>
  func.return %1 : tensor<4x6xf32>
}

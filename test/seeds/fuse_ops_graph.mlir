// RUN: npu-opt %s --fuse-ops="dump=graph" -o %t.mlir 2>&1 | filecheck %s --check-prefix=GRAPH --match-full-lines
// RUN: npu-opt %s --fuse-ops="dump=groups" -o %t.mlir 2>&1 | filecheck %s --check-prefix=GROUPS --match-full-lines

/// The graph of the seed: the same numbers, the same uses, the same kinds of edges. Three groups of ops; the input and
/// the large constant are groups of their own, and the constant of one element is in the group of its product.
// GRAPH:      @main
// GRAPH-NEXT: node[0], argument %data : tensor<1x3x4x4xf32> outputs=[2:0, ]
// GRAPH-NEXT: node[1], %c = npu.constant() outputs=[2:0, ]
// GRAPH-NEXT: node[2], %0 = npu.div(%data, %c) outputs=[4:0, ]
// GRAPH-NEXT: node[3], %two = npu.constant() outputs=[4:1, ]
// GRAPH-NEXT: node[4], %1 = npu.mul(%0, %two) outputs=[5:0, ]
// GRAPH-NEXT: node[5], %2 = npu.relu(%1) outputs=[6:4, ]
// GRAPH-NEXT: node[6], %3 = npu.max_pool(%2) outputs=[7:0, ]
// GRAPH-NEXT: node[7], %4 = npu.relu(%3) outputs=[8:4, ]
// GRAPH-NEXT: node[8], %5 = npu.max_pool(%4) outputs=[9:0, ]
// GRAPH-NEXT: node[9], %6 = npu.relu(%5) outputs=[]
// GROUPS:      @main
// GROUPS-NEXT: node[0], argument %data : tensor<1x3x4x4xf32> group=0
// GROUPS-NEXT: node[1], %c = npu.constant() group=1
// GROUPS-NEXT: node[2], %0 = npu.div(%data, %c) group=2
// GROUPS-NEXT: node[3], %two = npu.constant() group=2
// GROUPS-NEXT: node[4], %1 = npu.mul(%0, %two) group=2
// GROUPS-NEXT: node[5], %2 = npu.relu(%1) group=2
// GROUPS-NEXT: node[6], %3 = npu.max_pool(%2) group=3
// GROUPS-NEXT: node[7], %4 = npu.relu(%3) group=3
// GROUPS-NEXT: node[8], %5 = npu.max_pool(%4) group=4
// GROUPS-NEXT: node[9], %6 = npu.relu(%5) group=4
func.func @main(%data: tensor<1x3x4x4xf32>) -> tensor<1x3x2x2xf32> {
  %c = npu.constant dense<[[[[2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0]], [[2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0]], [[2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0]]]]> : tensor<1x3x4x4xf32>
  %0 = npu.div %data, %c : tensor<1x3x4x4xf32>
  %two = npu.constant dense<2.0> : tensor<f32>
  %1 = npu.mul %0, %two : (tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %2 = npu.relu %1 : tensor<1x3x4x4xf32>
  %3 = npu.max_pool %2 window = [2, 2] data_layout = <NCHW> : (tensor<1x3x4x4xf32>) -> tensor<1x3x3x3xf32>
  %4 = npu.relu %3 : tensor<1x3x3x3xf32>
  %5 = npu.max_pool %4 window = [2, 2] data_layout = <NCHW> : (tensor<1x3x3x3xf32>) -> tensor<1x3x2x2xf32>
  %6 = npu.relu %5 : tensor<1x3x2x2xf32>
  func.return %6 : tensor<1x3x2x2xf32>
}

// RUN: npu-opt %s --collapse -t mermaid | filecheck %s --match-full-lines
// RUN: npu-opt %s -t "mermaid{collapse=true}" | filecheck %s --match-full-lines
// RUN: npu-opt %s --collapse -t dot | filecheck %s --check-prefix DOT --match-full-lines
// RUN: npu-opt %s -t dot | filecheck %s --check-prefix WHOLE
// RUN: npu-opt %s --no-collapse -t dot | filecheck %s --check-prefix WHOLE
// RUN: not npu-opt %s --collapse 2>&1 | filecheck %s --check-prefix TEXT

/// A block that follows itself is drawn once, with the number of its turns; constants are left out. What goes from one
/// turn to the next is dashed; edges from outside go to the block, and edges to outside leave it.
// CHECK:        input_1(("%x"))
// CHECK-NEXT:   input_2(("%mask"))
// CHECK-NEXT:   neg_1("neg<br/>%start")
// CHECK-NEXT:   subgraph repeat_1 ["x3"]
// CHECK-NEXT:     mul_1("mul<br/>%a0")
// CHECK-NEXT:     relu_1("relu<br/>%b0")
// CHECK-NEXT:     add_1("add<br/>%c0")
// CHECK-NEXT:   end
// CHECK-NEXT:   abs_1("abs<br/>%last")
// CHECK-NEXT:   output_1(("output"))
// CHECK-NEXT:   input_1 --> neg_1
// CHECK-NEXT:   neg_1 --> mul_1
// CHECK-NEXT:   mul_1 --> relu_1
// CHECK-NEXT:   relu_1 --> add_1
// CHECK-NEXT:   input_2 --> add_1
// CHECK-NEXT:   add_1 -.-> mul_1
// CHECK-NEXT:   add_1 --> abs_1
// CHECK-NEXT:   abs_1 --> output_1
// CHECK-NOT:    {{.+}}

// DOT:        subgraph cluster_repeat_1 {
// DOT-NEXT:     label="x3"
// DOT-NEXT:     mul_1 [label="mul\n%a0"]
// DOT-NEXT:     relu_1 [label="relu\n%b0"]
// DOT-NEXT:     add_1 [label="add\n%c0"]
// DOT-NEXT:   }
// DOT:        add_1 -> mul_1 [style=dashed]

/// Small graphs are drawn as they are.
// WHOLE:      constant_1 [label="%w0", shape=octagon]
// WHOLE:      constant_3 [label="%w2", shape=octagon]
// WHOLE:      add_3 [label="add\n%c2"]
// WHOLE-NOT:  cluster

// TEXT: npu-opt: error: argument --collapse: mlir is no graph (-t dot, mermaid, svg)

func.func @main(%x: tensor<4x4xf32>, %mask: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %start = npu.neg %x : tensor<4x4xf32>
  %w0 = npu.constant dense<0.5> : tensor<4x4xf32>
  %a0 = npu.mul %start, %w0 : tensor<4x4xf32>
  %b0 = npu.relu %a0 : tensor<4x4xf32>
  %c0 = npu.add %b0, %mask : tensor<4x4xf32>
  %w1 = npu.constant dense<1.5> : tensor<4x4xf32>
  %a1 = npu.mul %c0, %w1 : tensor<4x4xf32>
  %b1 = npu.relu %a1 : tensor<4x4xf32>
  %c1 = npu.add %b1, %mask : tensor<4x4xf32>
  %w2 = npu.constant dense<2.5> : tensor<4x4xf32>
  %t2 = npu.transpose %w2 permutation = [1, 0] : tensor<4x4xf32>
  %a2 = npu.mul %c1, %t2 : tensor<4x4xf32>
  %b2 = npu.relu %a2 : tensor<4x4xf32>
  %c2 = npu.add %b2, %mask : tensor<4x4xf32>
  %last = npu.abs %c2 : tensor<4x4xf32>
  func.return %last : tensor<4x4xf32>
}

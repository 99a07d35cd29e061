// RUN: npu-opt %s --split-input-file -t mermaid | filecheck %s
// RUN: xdsl-opt %s --split-input-file -t mermaid | filecheck %s

/// In a program without layouts the ops that declare theirs are turquoise, and the edges at them are labelled with it.
func.func @main(%x: tensor<1x8x4x6xf32>, %b: tensor<1x8x24xf32>) -> tensor<1x8x24xf32> {
  %k = npu.constant dense<0.125> : tensor<1x1x8x8xf32>
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <HWOI>
    : (tensor<1x8x4x6xf32>, tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32>
  %0 = npu.relu %conv : tensor<1x8x4x6xf32>
  %1 = npu.reshape %0 : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %2 = npu.add %1, %b : tensor<1x8x24xf32>
  func.return %2 : tensor<1x8x24xf32>
}

// CHECK:      flowchart TB
// CHECK-NEXT:   classDef default fill:white,stroke:#BBBFC4,color:black
// CHECK-NEXT:   classDef cnn fill:palegoldenrod,stroke-width:0px,color:black
// CHECK-NEXT:   classDef tensor fill:lightgrey,stroke-width:0px,color:black
// CHECK-NEXT:   classDef known fill:paleturquoise,stroke-width:0px,color:black
// CHECK-NEXT:   classDef placed fill:peachpuff,stroke-width:0px,color:black
// CHECK-NEXT:   linkStyle default stroke:#BBBFC4,stroke-width:3px
// CHECK-NEXT:   input_1(("%x"))
// CHECK-NEXT:   input_2(("%b"))
// CHECK-NEXT:   constant_1(["%k"])
// CHECK-NEXT:   conv2d_1("conv2d<br/>%conv"):::known
// CHECK-NEXT:   relu_1("relu<br/>%0")
// CHECK-NEXT:   reshape_1("reshape<br/>%1")
// CHECK-NEXT:   add_1("add<br/>%2")
// CHECK-NEXT:   output_1(("output"))
// CHECK-NEXT:   input_1 -- "NCHW" --> conv2d_1
// CHECK-NEXT:   constant_1 -- "HWOI" --> conv2d_1
// CHECK-NEXT:   conv2d_1 -- "NCHW" --> relu_1
// CHECK-NEXT:   relu_1 --> reshape_1
// CHECK-NEXT:   reshape_1 --> add_1
// CHECK-NEXT:   input_2 --> add_1
// CHECK-NEXT:   add_1 --> output_1
// CHECK-NEXT: {{^// ?-----$}}

// -----

/// Features and weights are yellow, tensors of either class grey. The label of an edge is the stored layout of its value.
func.func @main(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %k: tensor<1x1x8x8xf32, #npu.layout<HWOI>>,
                %t: tensor<2x5x3xf32, #npu.layout<NTensor, [0, 2, 1]>>)
    -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x5x3xf32, #npu.layout<NTensor, [0, 2, 1]>>,
        tensor<5x2x3xf32, #npu.layout<Tensor, [2, 0, 1]>>) {
  %conv = npu.conv2d %x, %k
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>)
    -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %relu = npu.relu %t
    : tensor<2x5x3xf32, #npu.layout<NTensor, [0, 2, 1]>>
  %same = npu.relabel %relu
    : (tensor<2x5x3xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<2x5x3xf32, #npu.layout<Tensor, [0, 2, 1]>>
  %moved = npu.transpose %same permutation = [1, 0, 2]
    : (tensor<2x5x3xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<5x2x3xf32, #npu.layout<Tensor, [2, 0, 1]>>
  func.return %conv, %relu, %moved
    : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<2x5x3xf32, #npu.layout<NTensor, [0, 2, 1]>>,
      tensor<5x2x3xf32, #npu.layout<Tensor, [2, 0, 1]>>
}

// CHECK:        linkStyle default stroke:#BBBFC4,stroke-width:3px
// CHECK-NEXT:   input_1(("%x")):::cnn
// CHECK-NEXT:   input_2(("%k")):::cnn
// CHECK-NEXT:   input_3(("%t")):::tensor
// CHECK-NEXT:   conv2d_1("conv2d<br/>%conv"):::cnn
// CHECK-NEXT:   relu_1("relu<br/>%relu"):::tensor
// CHECK-NEXT:   relabel_1("relabel<br/>%same"):::tensor
// CHECK-NEXT:   transpose_1("transpose<br/>%moved"):::tensor
// CHECK-NEXT:   output_1(("output 0")):::cnn
// CHECK-NEXT:   output_2(("output 1")):::tensor
// CHECK-NEXT:   output_3(("output 2")):::tensor
// CHECK-NEXT:   input_1 -- "NHWC" --> conv2d_1
// CHECK-NEXT:   input_2 -- "HWOI" --> conv2d_1
// CHECK-NEXT:   input_3 -- "NTensor [0, 2, 1]" --> relu_1
// CHECK-NEXT:   relu_1 -- "NTensor [0, 2, 1]" --> relabel_1
// CHECK-NEXT:   relabel_1 -- "Tensor [0, 2, 1]" --> transpose_1
// CHECK-NEXT:   conv2d_1 -- "NHWC" --> output_1
// CHECK-NEXT:   relu_1 -- "NTensor [0, 2, 1]" --> output_2
// CHECK-NEXT:   transpose_1 -- "Tensor [2, 0, 1]" --> output_3
// CHECK-NEXT: {{^// ?-----$}}

// -----

/// Transposes that a layout pass inserted are peach, as their locations tell; other locations change no colour.
func.func @main(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %in = npu.transpose %x permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
    loc("layout-preset: conv2d demands NHWC"("model.py":3:4))
  %relu = npu.relu %in : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
    loc(fused["model.py":4:4, "layout-preset: shares a region"])
  %tanh = npu.tanh %relu : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
    loc("block1/tanh")
  %out = npu.transpose %tanh permutation = [0, 3, 1, 2]
    : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  func.return %out : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// CHECK:        input_1(("%x")):::cnn
// CHECK-NEXT:   transpose_1("transpose<br/>%in"):::placed
// CHECK-NEXT:   relu_1("relu<br/>%relu"):::cnn
// CHECK-NEXT:   tanh_1("tanh<br/>%tanh"):::cnn
// CHECK-NEXT:   transpose_2("transpose<br/>%out"):::cnn
// CHECK-NEXT:   output_1(("output")):::cnn

// -----

/// The edges of an op with several results are labelled with the result. A value that is read twice has two edges.
func.func @main(%x: tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<2x6xf32, #npu.layout<Tensor>> {
  %low, %high = npu.split %x axis = 0 sizes = [2, 2]
    : (tensor<4x6xf32, #npu.layout<Tensor>>)
    -> (tensor<2x6xf32, #npu.layout<Tensor>>, tensor<2x6xf32, #npu.layout<Tensor>>)
  %twice = npu.add %high, %high
    : tensor<2x6xf32, #npu.layout<Tensor>>
  func.return %twice : tensor<2x6xf32, #npu.layout<Tensor>>
}

// CHECK:        split_1("split"):::tensor
// CHECK-NEXT:   add_1("add<br/>%twice"):::tensor
// CHECK-NEXT:   output_1(("output")):::tensor
// CHECK-NEXT:   input_1 -- "Tensor" --> split_1
// CHECK-NEXT:   split_1 -- "%high Tensor" --> add_1
// CHECK-NEXT:   split_1 -- "%high Tensor" --> add_1
// CHECK-NEXT:   add_1 -- "Tensor" --> output_1

// -----

/// Several functions have a box each. A function without a body has none.
func.func private @sin(tensor<4xf32>) -> tensor<4xf32>

func.func private @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = npu.add %x, %x : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @double(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @sin(%0) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// CHECK:        linkStyle default stroke:#BBBFC4,stroke-width:3px
// CHECK-NEXT:   subgraph function_1 ["@double"]
// CHECK-NEXT:     input_1(("%x"))
// CHECK-NEXT:     add_1("add<br/>%0")
// CHECK-NEXT:     output_1(("output"))
// CHECK-NEXT:   end
// CHECK-NEXT:   input_1 --> add_1
// CHECK-NEXT:   input_1 --> add_1
// CHECK-NEXT:   add_1 --> output_1
// CHECK-NEXT:   subgraph function_2 ["@main"]
// CHECK-NEXT:     input_2(("%x"))
// CHECK-NEXT:     func_call_1("func.call @double<br/>%0")
// CHECK-NEXT:     func_call_2("func.call @sin<br/>%1")
// CHECK-NEXT:     output_2(("output"))
// CHECK-NEXT:   end
// CHECK-NEXT:   input_2 --> func_call_1
// CHECK-NEXT:   func_call_1 --> func_call_2
// CHECK-NEXT:   func_call_2 --> output_2
// CHECK-NEXT: {{^// ?-----$}}

// -----

/// An op with code inside is one node, which reads what the code reads from outside. Branches are dotted.
func.func @main(%x: tensor<4xf32>, %again: i1) -> tensor<4xf32> {
  %y = "test.op"(%again) ({
    %inside = npu.tanh %x : tensor<4xf32>
    "test.termop"(%inside) : (tensor<4xf32>) -> ()
  }) : (i1) -> tensor<4xf32>
  cf.br ^loop(%y : tensor<4xf32>)
^loop(%z : tensor<4xf32>):
  %0 = npu.relu %z : tensor<4xf32>
  cf.cond_br %again, ^loop(%0 : tensor<4xf32>), ^done
^done:
  func.return %0 : tensor<4xf32>
}

// CHECK:        linkStyle default stroke:#BBBFC4,stroke-width:3px
// CHECK-NEXT:   input_1(("%x"))
// CHECK-NEXT:   input_2(("%again"))
// CHECK-NEXT:   test_op_1("test.op<br/>%y")
// CHECK-NEXT:   cf_br_1("cf.br")
// CHECK-NEXT:   input_3(("%z"))
// CHECK-NEXT:   relu_1("relu<br/>%0")
// CHECK-NEXT:   cf_cond_br_1("cf.cond_br")
// CHECK-NEXT:   output_1(("output"))
// CHECK-NEXT:   input_2 --> test_op_1
// CHECK-NEXT:   input_1 --> test_op_1
// CHECK-NEXT:   test_op_1 --> cf_br_1
// CHECK-NEXT:   cf_br_1 -.-> input_3
// CHECK-NEXT:   input_3 --> relu_1
// CHECK-NEXT:   input_2 --> cf_cond_br_1
// CHECK-NEXT:   relu_1 --> cf_cond_br_1
// CHECK-NEXT:   cf_cond_br_1 -.-> input_3
// CHECK-NEXT:   relu_1 --> output_1
// CHECK-NEXT: {{^// ?-----$}}

// -----

/// Ops of other systems go by their names there, whatever is in these; ops beside functions are drawn as well.
func.func @"odd \22name\22"(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = npu.opaque "end"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = npu.opaque "a \22b\22; #35; <i>&lt;</i> `c` {d} [e]"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
"test.op"() : () -> ()

// CHECK:        linkStyle default stroke:#BBBFC4,stroke-width:3px
// CHECK-NEXT:   test_op_1("test.op")
// CHECK-NEXT:   subgraph function_1 ["@odd #34;name#34;"]
// CHECK-NEXT:     input_1(("%x"))
// CHECK-NEXT:     end_1("end<br/>%0")
// CHECK-NEXT:     a__b____35___i__lt___i___c___d___e__1("a #34;b#34;#59; #35;35#59; #60;i#62;#38;lt#59;#60;/i#62; #96;c#96; #123;d#125; [e]<br/>%1")
// CHECK-NEXT:     output_1(("output"))
// CHECK-NEXT:   end

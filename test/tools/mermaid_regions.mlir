// RUN: npu-opt %s --layout-transmit -t "mermaid{regions=true}" | filecheck %s
// RUN: npu-opt %s --layout-transmit -t "mermaid{regions=true target=plover}" | filecheck %s --check-prefix PLOVER
// RUN: npu-opt %s --layout-transmit --target=plover -t "mermaid{regions=true}" | filecheck %s --check-prefix PLOVER
// RUN: npu-opt %s --layout-transmit -t mermaid | filecheck %s --check-prefix PLAIN
// RUN: npu-opt %s -t "mermaid{regions=true}" | filecheck %s --check-prefix PLAIN

/// A reshape to rows has a form in the order that the convolution demands, so the tensors behind it belong to its region.
func.func @joined(%x: tensor<1x8x4x6xf32>, %k: tensor<8x8x1x1xf32>) -> tensor<1x8x24xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %rows = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x8x24xf32>
  %tanh = npu.tanh %rows : tensor<1x8x24xf32>
  func.return %tanh : tensor<1x8x24xf32>
}

// CHECK:        subgraph function_1 ["@joined"]
// CHECK-NEXT:     subgraph region_1 ["Feature region"]
// CHECK-NEXT:       input_1(("%x")):::cnn
// CHECK-NEXT:       conv2d_1("conv2d<br/>%conv"):::cnn
// CHECK-NEXT:       reshape_1("reshape<br/>%rows"):::tensor
// CHECK-NEXT:       tanh_1("tanh<br/>%tanh"):::tensor
// CHECK-NEXT:     end
// CHECK-NEXT:     input_2(("%k")):::cnn
// CHECK-NEXT:     output_1(("output")):::tensor
// CHECK-NEXT:   end
// CHECK-NEXT:   input_1 -- "NCHW" --> conv2d_1

/// A flatten has no such form, so it begins a region. On hardware that demands the given order there is one region.
func.func @apart(%x: tensor<1x8x4x6xf32>, %k: tensor<8x8x1x1xf32>) -> tensor<1x192xf32> {
  %relu = npu.relu %x : tensor<1x8x4x6xf32>
  %conv = npu.conv2d %relu, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %flat = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  %tanh = npu.tanh %flat : tensor<1x192xf32>
  func.return %tanh : tensor<1x192xf32>
}

// CHECK:        subgraph function_2 ["@apart"]
// CHECK-NEXT:     subgraph region_2 ["Feature region"]
// CHECK-NEXT:       input_3(("%x")):::cnn
// CHECK-NEXT:       relu_1("relu<br/>%relu"):::cnn
// CHECK-NEXT:       conv2d_2("conv2d<br/>%conv"):::cnn
// CHECK-NEXT:     end
// CHECK-NEXT:     input_4(("%k")):::cnn
// CHECK-NEXT:     subgraph region_3 ["Tensor region"]
// CHECK-NEXT:       reshape_2("reshape<br/>%flat"):::tensor
// CHECK-NEXT:       tanh_2("tanh<br/>%tanh"):::tensor
// CHECK-NEXT:     end
// CHECK-NEXT:     output_2(("output")):::tensor
// CHECK-NEXT:   end
// CHECK-NEXT:   input_3 -- "NCHW" --> relu_1

// PLOVER:        subgraph function_2 ["@apart"]
// PLOVER-NEXT:     subgraph region_2 ["Feature region"]
// PLOVER-NEXT:       input_3(("%x")):::cnn
// PLOVER-NEXT:       relu_1("relu<br/>%relu"):::cnn
// PLOVER-NEXT:       conv2d_2("conv2d<br/>%conv"):::cnn
// PLOVER-NEXT:       reshape_2("reshape<br/>%flat"):::tensor
// PLOVER-NEXT:       tanh_2("tanh<br/>%tanh"):::tensor
// PLOVER-NEXT:     end

/// There are boxes only if one asks for them, and only around values with layouts.
// PLAIN:     subgraph function_1
// PLAIN-NOT: subgraph region
// PLAIN:     subgraph function_2
// PLAIN-NOT: subgraph region

// RUN: npu-opt %s --layout-transmit --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-transmit --layout-transmit --split-input-file | filecheck %s

/// Seed layout-transmit, 简化版: B and A go into C, which knows its layouts; C to E, A to D, E and D to F. Against the direction of data A and B and their inputs get what C knows (反向推导), then D, E and F follow (正向推导).
// CHECK-LABEL: func.func @a_to_f(
// CHECK-SAME:    %a: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %b: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %A = npu.relu %a : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %B = npu.abs %b : tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %C = npu.conv2d %A, %B : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %D = npu.exp %A : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %E = npu.tanh %C : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %F = npu.add %E, %D : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %F : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @a_to_f(%a: tensor<1x4x6x8xf32>, %b: tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32> {
  %A = npu.relu %a : tensor<1x4x6x8xf32>
  %B = npu.abs %b : tensor<1x1x8x8xf32>
  %C = npu.conv2d %A, %B data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  %D = npu.exp %A : tensor<1x4x6x8xf32>
  %E = npu.tanh %C : tensor<1x4x6x8xf32>
  %F = npu.add %E, %D : tensor<1x4x6x8xf32>
  return %F : tensor<1x4x6x8xf32>
}

// -----

/// Seed layout-transmit, 简化版: a path without a known op gets the default, and its inputs with it.
// CHECK-LABEL: func.func @default_path(
// CHECK-SAME:    %a: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %b: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %known = npu.max_pool %a window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %x = npu.relu %b : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.abs %x : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %known, %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @default_path(%a: tensor<1x4x6x8xf32>, %b: tensor<1x8x4x6xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x8x4x6xf32>) {
  %known = npu.max_pool %a window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %x = npu.relu %b : tensor<1x8x4x6xf32>
  %y = npu.abs %x : tensor<1x8x4x6xf32>
  return %known, %y : tensor<1x4x6x8xf32>, tensor<1x8x4x6xf32>
}

// -----

/// Seed layout-transmit, 模型抽象, condition 1: of some nodes in the middle the colours of what goes in and out are known.
// CHECK-LABEL: func.func @condition_1(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.conv2d %a, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.relu %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @condition_1(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32> {
  %a = npu.relu %x : tensor<1x8x4x6xf32>
  %b = npu.conv2d %a, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.relu %b : tensor<1x8x4x6xf32>
  return %c : tensor<1x8x4x6xf32>
}

// -----

/// Seed layout-transmit, 模型抽象, condition 2: from what Reshape and BroadCast give nothing follows for what they take.
// CHECK-LABEL: func.func @condition_2(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<Tensor>>, %y: tensor<4x6xf32, #npu.layout<Tensor>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %a = npu.reshape %x : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.conv2d %a, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.broadcast %y axes = [2, 3] : (tensor<4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %d = npu.conv2d %c, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %b, %d : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @condition_2(%x: tensor<1x8x4x6xf32>, %y: tensor<4x6xf32>, %w: tensor<8x8x1x1xf32>) -> (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) {
  %a = npu.reshape %x : tensor<1x8x4x6xf32>
  %b = npu.conv2d %a, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.broadcast %y axes = [2, 3] : (tensor<4x6xf32>) -> tensor<1x8x4x6xf32>
  %d = npu.conv2d %c, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  return %b, %d : tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>
}

// -----

/// Seed layout-transmit, 模型抽象, condition 3: when all of what goes into a node is known, what it gives follows.
// CHECK-LABEL: func.func @condition_3(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %a = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.max_pool %x window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.concat %a, %b axis = 1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %c : tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @condition_3(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x16x4x6xf32> {
  %a = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %b = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %c = npu.concat %a, %b axis = 1 : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32>
  return %c : tensor<1x16x4x6xf32>
}

// -----

/// Seed layout-transmit, 多模态处理, the figure A==>B, A-->C: two users expect different layouts of A, which gets the colour of the first; the other reads it through a relabel.
// CHECK-LABEL: func.func @dname(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %A = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %B = npu.max_pool %A window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %A : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %C = npu.avg_pool %0 window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %B, %C : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x8xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @dname(%x: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) {
  %A = npu.relu %x : tensor<1x4x6x8xf32>
  %B = npu.max_pool %A window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %C = npu.avg_pool %A window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x8xf32>
  return %B, %C : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>
}

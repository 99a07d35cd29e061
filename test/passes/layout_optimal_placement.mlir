// RUN: npu-opt %s --layout-optimal --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-optimal --layout-optimal --split-input-file | filecheck %s

/// The summands are arguments: the sum is moved. Strategies by regions move both inputs.
// CHECK-LABEL: func.func @residual_of_inputs
// CHECK-SAME:    (%x: tensor<1x8x4x4xf32, #npu.layout<NCHW>>, %y: tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %sum = npu.add %x, %y : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %relu = npu.relu %sum : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mirror = npu.mirror %relu_1 axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %mirror : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
func.func @residual_of_inputs(%x: tensor<1x8x4x4xf32>, %y: tensor<1x8x4x4xf32>)
    -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %sum = npu.add %x, %y : tensor<1x8x4x4xf32>
  %relu = npu.relu %sum : tensor<1x8x4x4xf32>
  %mirror = npu.mirror %relu axes = [2] data_layout = <NCHW> : tensor<1x8x4x4xf32>
  %y2 = npu.transpose %mirror permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %y2 : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// The data is smallest three ops before the one that demands NHWC. A greedy pass transposes the operand of that op.
// CHECK-LABEL: func.func @three_ops_earlier
// CHECK-SAME:    (%x: tensor<1x8x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %relu = npu.relu %x : tensor<1x8x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %relu_1 = npu.transpose %relu permutation = [0, 2, 3, 1] : (tensor<1x8x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x2x2x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %up = npu.upsample %relu_1 factors = [3, 3] : (tensor<1x2x2x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %tanh = npu.tanh %up : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mirror = npu.mirror %tanh axes = [1] : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %mirror : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
func.func @three_ops_earlier(%x: tensor<1x8x2x2xf32>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>> {
  %relu = npu.relu %x : tensor<1x8x2x2xf32>
  %up = npu.upsample %relu factors = [3, 3] data_layout = <NCHW> : (tensor<1x8x2x2xf32>) -> tensor<1x8x6x6xf32>
  %tanh = npu.tanh %up : tensor<1x8x6x6xf32>
  %mirror = npu.mirror %tanh axes = [2] data_layout = <NCHW> : tensor<1x8x6x6xf32>
  %y = npu.transpose %mirror permutation = [0, 2, 3, 1]
    : (tensor<1x8x6x6xf32>) -> tensor<1x6x6x8xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x6x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// The transpose at the end of the program is what would have to be undone, four ops later and as tokens. What
/// only cancels neighbours leaves both.
// CHECK-LABEL: func.func @late_cancellation
// CHECK-SAME:    (%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %bias: tensor<1x16x8xf32, #npu.layout<Tensor>>) -> tensor<1x16x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %mirror = npu.mirror %x axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %mirror : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.reshape %relu : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x16x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %exp = npu.exp %flat : tensor<1x16x8xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %tokens = npu.relabel %exp : (tensor<1x16x8xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x16x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.add %tokens, %bias : tensor<1x16x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x16x8xf32, #npu.layout<Tensor>>
func.func @late_cancellation(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %bias: tensor<1x16x8xf32>)
    -> tensor<1x16x8xf32> {
  %mirror = npu.mirror %x axes = [1]
    : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %image = npu.transpose %mirror permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %relu = npu.relu %image : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %flat = npu.reshape %relu : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x16xf32>
  %exp = npu.exp %flat : tensor<1x8x16xf32>
  %tokens = npu.transpose %exp permutation = [0, 2, 1] : (tensor<1x8x16xf32>) -> tensor<1x16x8xf32>
  %y = npu.add %tokens, %bias : tensor<1x16x8xf32>
  func.return %y : tensor<1x16x8xf32>
}

// -----

/// A tower of sums, to which one branch comes as a Tensor from outside: that branch is moved, once. Everywhere
/// else the Tensor decides, and the tower is put back around it.
// CHECK-LABEL: func.func @tower
// CHECK-SAME:    (%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %side: tensor<1x8x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %side_1 = npu.transpose %side permutation = [0, 2, 3, 1] : (tensor<1x8x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %m1 = npu.mirror %x axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %r1 = npu.relabel %m1 : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %s1 = npu.add %r1, %side_1 : tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %c1 = npu.relabel %s1 : (tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %c1 axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %r2 = npu.relabel %m2 : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %s2 = npu.mul %r2, %side_1 : tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %c2 = npu.relabel %s2 : (tensor<1x4x4x8xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %c2 : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
func.func @tower(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>, %side: tensor<1x8x4x4xf32>)
    -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %m1 = npu.mirror %x axes = [1] : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %t1 = npu.transpose %m1 permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %r1 = npu.relabel %t1 : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<Tensor>>
  %s1 = npu.add %r1, %side
    : (tensor<1x8x4x4xf32, #npu.layout<Tensor>>, tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32, #npu.layout<Tensor>>
  %c1 = npu.relabel %s1 : (tensor<1x8x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %m2 = npu.mirror %c1 axes = [2] : tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %r2 = npu.relabel %m2 : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x4xf32, #npu.layout<Tensor>>
  %s2 = npu.mul %r2, %side
    : (tensor<1x8x4x4xf32, #npu.layout<Tensor>>, tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32, #npu.layout<Tensor>>
  %c2 = npu.relabel %s2 : (tensor<1x8x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x4xf32, #npu.layout<NCHW>>
  %y = npu.transpose %c2 permutation = [0, 2, 3, 1]
    : (tensor<1x8x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// Ten branches meet, and nothing is known of the op behind one of them. Only that small branch is moved: the others
/// come as the mirror gives them. Elsewhere the one that cannot follow keeps all of them back.
// CHECK-LABEL: func.func @ten_branches
// CHECK-SAME:    (%x: tensor<1x4x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x20xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %m = npu.mirror %x axes = [1] : tensor<1x4x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %r = npu.relabel %m : (tensor<1x4x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b0 = npu.relu %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b1 = npu.tanh %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b2 = npu.exp %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b3 = npu.neg %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b4 = npu.abs %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b5 = npu.sigmoid %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b6 = npu.sin %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b7 = npu.cos %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b8 = npu.floor %r : tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %b9 = npu.opaque "vendor.noise"() : () -> tensor<1x2x4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b9_1 = npu.transpose %b9 permutation = [0, 2, 3, 1] : (tensor<1x2x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %all = npu.concat %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9_1 axis = 3 : (tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x4x4x2xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x4x20xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %c = npu.relabel %all : (tensor<1x4x4x20xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4x4x20xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %c : tensor<1x4x4x20xf32, #npu.layout<NHWC>>
func.func @ten_branches(%x: tensor<1x4x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x20xf32, #npu.layout<NHWC>> {
  %m = npu.mirror %x axes = [1] : tensor<1x4x4x2xf32, #npu.layout<NHWC>>
  %t = npu.transpose %m permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x2x4x4xf32, #npu.layout<NCHW>>
  %r = npu.relabel %t : (tensor<1x2x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b0 = npu.relu %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b1 = npu.tanh %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b2 = npu.exp %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b3 = npu.neg %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b4 = npu.abs %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b5 = npu.sigmoid %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b6 = npu.sin %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b7 = npu.cos %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b8 = npu.floor %r : tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %b9 = npu.opaque "vendor.noise"() : () -> tensor<1x2x4x4xf32, #npu.layout<Tensor>>
  %all = npu.concat %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9 axis = 1
    : (tensor<1x2x4x4xf32, #npu.layout<Tensor>>, tensor<1x2x4x4xf32, #npu.layout<Tensor>>,
       tensor<1x2x4x4xf32, #npu.layout<Tensor>>, tensor<1x2x4x4xf32, #npu.layout<Tensor>>,
       tensor<1x2x4x4xf32, #npu.layout<Tensor>>, tensor<1x2x4x4xf32, #npu.layout<Tensor>>,
       tensor<1x2x4x4xf32, #npu.layout<Tensor>>, tensor<1x2x4x4xf32, #npu.layout<Tensor>>,
       tensor<1x2x4x4xf32, #npu.layout<Tensor>>, tensor<1x2x4x4xf32, #npu.layout<Tensor>>)
    -> tensor<1x20x4x4xf32, #npu.layout<Tensor>>
  %c = npu.relabel %all : (tensor<1x20x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x20x4x4xf32, #npu.layout<NCHW>>
  %y = npu.transpose %c permutation = [0, 2, 3, 1]
    : (tensor<1x20x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x20xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x20xf32, #npu.layout<NHWC>>
}

// -----

/// A value and its transpose, added up: one of them is moved whatever is chosen, although halves of both would do. The
/// linear program proves nothing here, so branch and bound does.
// CHECK-LABEL: func.func @with_its_transpose
// CHECK-SAME:    (%x: tensor<4x4xf32, #npu.layout<Tensor>>) -> tensor<4x4xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %relu = npu.relu %x : tensor<4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %t = npu.transpose %relu permutation = [1, 0] : tensor<4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.add %relu, %t : tensor<4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<4x4xf32, #npu.layout<Tensor>>
func.func @with_its_transpose(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %relu = npu.relu %x : tensor<4x4xf32>
  %t = npu.transpose %relu permutation = [1, 0] : tensor<4x4xf32>
  %y = npu.add %relu, %t : tensor<4x4xf32>
  func.return %y : tensor<4x4xf32>
}

// -----

/// Two ops read one conversion. The first of them has height and width merged, whose unknown sizes no view tells apart
/// again: the features are transposed, and then viewed.
// CHECK-LABEL: func.func @merged_unknown_sizes
// CHECK:         %conv = npu.conv2d
// CHECK-NEXT:    %conv_1 = npu.transpose %conv permutation = [0, 3, 1, 2] : (tensor<?x?x?x8xf32, #npu.layout<NHWC>>) -> tensor<?x8x?x?xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %lines = npu.reshape %conv_1 dims = [@in0, 8, ?] : (tensor<?x8x?x?xf32, #npu.layout<NCHW>>) -> tensor<?x8x?xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    [[FEATURES:%.*]] = npu.relabel %conv_1 : (tensor<?x8x?x?xf32, #npu.layout<NCHW>>) -> tensor<?x8x?x?xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %sorted = npu.opaque "vendor.sort"(%lines) pure
// CHECK-NEXT:    %shape = npu.opaque "vendor.shape"([[FEATURES]]) pure
func.func @merged_unknown_sizes(%x: tensor<?x4x?x?xf32>, %k: tensor<8x4x1x1xf32>)
    -> (tensor<?x8x?xf32>, tensor<4xi64>) {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<?x4x?x?xf32>, tensor<8x4x1x1xf32>) -> tensor<?x8x?x?xf32>
  %lines = npu.reshape %conv dims = [@in0, 8, ?] : (tensor<?x8x?x?xf32>) -> tensor<?x8x?xf32>
  %sorted = npu.opaque "vendor.sort"(%lines) pure : (tensor<?x8x?xf32>) -> tensor<?x8x?xf32>
  %shape = npu.opaque "vendor.shape"(%conv) pure : (tensor<?x8x?x?xf32>) -> tensor<4xi64>
  func.return %sorted, %shape : tensor<?x8x?xf32>, tensor<4xi64>
}

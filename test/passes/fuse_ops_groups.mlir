// RUN: npu-opt %s --fuse-ops="dump=groups" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines
// RUN: npu-opt %s --fuse-ops="dump=groups opt-level=1" --split-input-file -o %t.mlir 2>&1 | filecheck %s --match-full-lines

/// Two ways from a convolution that meet again: all uses are elementwise and lead to the sum.
// CHECK:      @diamond
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %conv = npu.conv2d(%x, %k) group=2
// CHECK-NEXT: node[3], %relu = npu.relu(%conv) group=2
// CHECK-NEXT: node[4], %neg = npu.neg(%conv) group=2
// CHECK-NEXT: node[5], %sum = npu.add(%relu, %neg) group=2
func.func @diamond(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %neg = npu.neg %conv : tensor<1x4x4x4xf32>
  %sum = npu.add %relu, %neg : tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}

// -----

/// The ways to the sum repeat the value along axes, so the convolution stays alone.
// CHECK:      @repeated
// CHECK-NEXT: node[0], argument %x : tensor<1x4x1x1xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], argument %y : tensor<1x4x4x4xf32> group=2
// CHECK-NEXT: node[3], %conv = npu.conv2d(%x, %k) group=3
// CHECK-NEXT: node[4], %wide = npu.add(%conv, %y) group=4
// CHECK-NEXT: node[5], %relu = npu.relu(%wide) group=4
// CHECK-NEXT: node[6], %sum = npu.add(%relu, %conv) group=4
func.func @repeated(%x: tensor<1x4x1x1xf32>, %k: tensor<4x4x1x1xf32>, %y: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %wide = npu.add %conv, %y : (tensor<1x4x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %wide : tensor<1x4x4x4xf32>
  %sum = npu.add %relu, %conv : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}

// -----

/// An addition that repeats the bias works on the elements of the convolution, and is taken up.
// CHECK:      @bias
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], argument %bias : tensor<1x4x1x1xf32> group=2
// CHECK-NEXT: node[3], %conv = npu.conv2d(%x, %k) group=3
// CHECK-NEXT: node[4], %sum = npu.add(%conv, %bias) group=3
func.func @bias(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>, %bias: tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %sum = npu.add %conv, %bias : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}

// -----

/// An addition that repeats the result of the convolution is not.
// CHECK:      @spread
// CHECK-NEXT: node[0], argument %x : tensor<1x4x1x1xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], argument %y : tensor<1x4x4x4xf32> group=2
// CHECK-NEXT: node[3], %conv = npu.conv2d(%x, %k) group=3
// CHECK-NEXT: node[4], %sum = npu.add(%conv, %y) group=4
func.func @spread(%x: tensor<1x4x1x1xf32>, %k: tensor<4x4x1x1xf32>, %y: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %sum = npu.add %conv, %y : (tensor<1x4x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}

// -----

/// Complex ops begin groups: none takes up what is in front of it, and no group has two.
// CHECK:      @chain
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %abs = npu.abs(%x) group=2
// CHECK-NEXT: node[3], %conv1 = npu.conv2d(%abs, %k) group=3
// CHECK-NEXT: node[4], %relu1 = npu.relu(%conv1) group=3
// CHECK-NEXT: node[5], %conv2 = npu.conv2d(%relu1, %k) group=4
// CHECK-NEXT: node[6], %relu2 = npu.relu(%conv2) group=4
func.func @chain(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %abs = npu.abs %x : tensor<1x4x4x4xf32>
  %conv1 = npu.conv2d %abs, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu1 = npu.relu %conv1 : tensor<1x4x4x4xf32>
  %conv2 = npu.conv2d %relu1, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu2 = npu.relu %conv2 : tensor<1x4x4x4xf32>
  func.return %relu2 : tensor<1x4x4x4xf32>
}

// -----

/// Two convolutions meet: the one that comes first takes the sum up.
// CHECK:      @two
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %conv1 = npu.conv2d(%x, %k) group=2
// CHECK-NEXT: node[3], %conv2 = npu.conv2d(%x, %k) group=3
// CHECK-NEXT: node[4], %sum = npu.add(%conv1, %conv2) group=2
func.func @two(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %conv1 = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %conv2 = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %sum = npu.add %conv1, %conv2 : tensor<1x4x4x4xf32>
  func.return %sum : tensor<1x4x4x4xf32>
}

// -----

/// A residual connection: the second convolution takes up the sum and what is behind it.
// CHECK:      @residual
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %conv1 = npu.conv2d(%x, %k) group=2
// CHECK-NEXT: node[3], %relu1 = npu.relu(%conv1) group=2
// CHECK-NEXT: node[4], %conv2 = npu.conv2d(%relu1, %k) group=3
// CHECK-NEXT: node[5], %sum = npu.add(%conv2, %relu1) group=3
// CHECK-NEXT: node[6], %relu2 = npu.relu(%sum) group=3
func.func @residual(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %conv1 = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu1 = npu.relu %conv1 : tensor<1x4x4x4xf32>
  %conv2 = npu.conv2d %relu1, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %sum = npu.add %conv2, %relu1 : tensor<1x4x4x4xf32>
  %relu2 = npu.relu %sum : tensor<1x4x4x4xf32>
  func.return %relu2 : tensor<1x4x4x4xf32>
}

// -----

/// A value with uses that lead to two results has no dominator.
// CHECK:      @two_results
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %relu = npu.relu(%x) group=2
// CHECK-NEXT: node[3], %abs = npu.abs(%relu) group=3
// CHECK-NEXT: node[4], %neg = npu.neg(%relu) group=4
func.func @two_results(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %relu = npu.relu %x : tensor<1x4x4x4xf32>
  %abs = npu.abs %relu : tensor<1x4x4x4xf32>
  %neg = npu.neg %relu : tensor<1x4x4x4xf32>
  func.return %abs, %neg : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

/// A value that is returned stays outside, whatever else reads it.
// CHECK:      @returned
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %conv = npu.conv2d(%x, %k) group=2
// CHECK-NEXT: node[3], %relu = npu.relu(%conv) group=3
// CHECK-NEXT: node[4], %abs = npu.abs(%relu) group=3
func.func @returned(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %abs = npu.abs %relu : tensor<1x4x4x4xf32>
  func.return %conv, %abs : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

/// Elementwise ops go into the reduction behind them; what is behind a reduction, or injective in front of it, does not.
// CHECK:      @reductions
// CHECK-NEXT: node[0], argument %x : tensor<4x6xf32> group=0
// CHECK-NEXT: node[1], %turned = npu.transpose(%x) group=1
// CHECK-NEXT: node[2], %first = npu.reduce_sum(%turned) group=2
// CHECK-NEXT: node[3], %relu = npu.relu(%x) group=3
// CHECK-NEXT: node[4], %second = npu.reduce_sum(%relu) group=3
// CHECK-NEXT: node[5], %sum = npu.add(%first, %second) group=4
func.func @reductions(%x: tensor<4x6xf32>) -> tensor<4xf32> {
  %turned = npu.transpose %x permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %first = npu.reduce_sum %turned axes = [0] : (tensor<6x4xf32>) -> tensor<4xf32>
  %relu = npu.relu %x : tensor<4x6xf32>
  %second = npu.reduce_sum %relu axes = [1] : (tensor<4x6xf32>) -> tensor<4xf32>
  %sum = npu.add %first, %second : tensor<4xf32>
  func.return %sum : tensor<4xf32>
}

// -----

/// A transpose goes into the elementwise op behind it, but not into a group with a convolution.
// CHECK:      @moved
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %conv = npu.conv2d(%x, %k) group=2
// CHECK-NEXT: node[3], %relu = npu.relu(%conv) group=2
// CHECK-NEXT: node[4], %turned = npu.transpose(%relu) group=3
// CHECK-NEXT: node[5], %abs = npu.abs(%turned) group=3
// CHECK-NEXT: node[6], %other = npu.transpose(%x) group=4
// CHECK-NEXT: node[7], %conv2 = npu.conv2d(%x, %k) group=5
// CHECK-NEXT: node[8], %sum = npu.add(%other, %conv2) group=5
func.func @moved(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %conv = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %relu = npu.relu %conv : tensor<1x4x4x4xf32>
  %turned = npu.transpose %relu permutation = [0, 1, 3, 2] : tensor<1x4x4x4xf32>
  %abs = npu.abs %turned : tensor<1x4x4x4xf32>
  %other = npu.transpose %x permutation = [0, 1, 3, 2] : tensor<1x4x4x4xf32>
  %conv2 = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %sum = npu.add %other, %conv2 : tensor<1x4x4x4xf32>
  func.return %abs, %sum : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

/// An op with two results is one node; all of its uses lead to the concat.
// CHECK:      @split
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %low, %high = npu.split(%x) group=2
// CHECK-NEXT: node[3], %relu = npu.relu(%low) group=2
// CHECK-NEXT: node[4], %abs = npu.abs(%high) group=2
// CHECK-NEXT: node[5], %joined = npu.concat(%relu, %abs) group=2
func.func @split(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %low, %high = npu.split %x axis = 1 sizes = [2, 2] : (tensor<1x4x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>)
  %relu = npu.relu %low : tensor<1x2x4x4xf32>
  %abs = npu.abs %high : tensor<1x2x4x4xf32>
  %joined = npu.concat %relu, %abs axis = 1 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %joined : tensor<1x4x4x4xf32>
}

// -----

/// Opaque ops are walls: nothing goes into them, and they go nowhere.
// CHECK:      @wall
// CHECK-NEXT: node[0], argument %x : tensor<4x6xf32> group=0
// CHECK-NEXT: node[1], %relu = npu.relu(%x) group=1
// CHECK-NEXT: node[2], %soft = npu.softmax(%relu) group=2
// CHECK-NEXT: node[3], %abs = npu.abs(%soft) group=3
// CHECK-NEXT: node[4], %neg = npu.neg(%abs) group=3
func.func @wall(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %relu = npu.relu %x : tensor<4x6xf32>
  %soft = npu.softmax %relu axis = 1 : tensor<4x6xf32>
  %abs = npu.abs %soft : tensor<4x6xf32>
  %neg = npu.neg %abs : tensor<4x6xf32>
  func.return %neg : tensor<4x6xf32>
}

// -----

/// An op whose sizes are numbers of the run is a wall too.
// CHECK:      @of_data
// CHECK-NEXT: node[0], argument %x : tensor<?x6xf32> group=0
// CHECK-NEXT: node[1], argument %n : tensor<1xi64> group=1
// CHECK-NEXT: node[2], %relu = npu.relu(%x) group=2
// CHECK-NEXT: node[3], %cut = npu.dynamic_slice(%relu, %n, %n) group=3
// CHECK-NEXT: node[4], %abs = npu.abs(%cut) group=4
// CHECK-NEXT: node[5], %neg = npu.neg(%abs) group=4
func.func @of_data(%x: tensor<?x6xf32>, %n: tensor<1xi64>) -> tensor<?x6xf32> {
  %relu = npu.relu %x : tensor<?x6xf32>
  %cut = npu.dynamic_slice %relu, %n, %n axes = [0] : (tensor<?x6xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x6xf32>
  %abs = npu.abs %cut : tensor<?x6xf32>
  %neg = npu.neg %abs : tensor<?x6xf32>
  func.return %neg : tensor<?x6xf32>
}

// -----

/// Ops that lead to no result are fused with each other, behind all others.
// CHECK:      @dead
// CHECK-NEXT: node[0], argument %x : tensor<1x4x4x4xf32> group=0
// CHECK-NEXT: node[1], argument %k : tensor<4x4x1x1xf32> group=1
// CHECK-NEXT: node[2], %neg = npu.neg(%x) group=2
// CHECK-NEXT: node[3], %unused = npu.relu(%x) group=3
// CHECK-NEXT: node[4], %nothing = npu.abs(%unused) group=3
func.func @dead(%x: tensor<1x4x4x4xf32>, %k: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %unused = npu.relu %x : tensor<1x4x4x4xf32>
  %nothing = npu.abs %unused : tensor<1x4x4x4xf32>
  %neg = npu.neg %x : tensor<1x4x4x4xf32>
  func.return %neg : tensor<1x4x4x4xf32>
}

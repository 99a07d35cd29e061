// RUN: npu-opt %s --layout-optimal --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-optimal --layout-optimal --split-input-file | filecheck %s

/// Attention between two convolutions: in NHWC the image already is the tokens, so nothing moves between the first
/// convolution and the last. Where the op between a reshape and a transpose is put back, both keep their price.
// CHECK-LABEL: func.func @attention
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %k_1 = npu.reshape %k : (tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x4xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %w = npu.constant dense<2.500000e-01> : tensor<1x4x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %conv = npu.conv2d %x, %k_1 : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.reshape %conv : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x16x4xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:    %act = npu.tanh %flat : tensor<1x16x4xf32, #npu.layout<NTensor, [0, 2, 1]>>
// CHECK-NEXT:    %tokens = npu.relabel %act : (tensor<1x16x4xf32, #npu.layout<NTensor, [0, 2, 1]>>) -> tensor<1x16x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %q = npu.matmul %tokens, %w : (tensor<1x16x4xf32, #npu.layout<NTensor>>, tensor<1x4x4xf32, #npu.layout<NTensor>>) -> tensor<1x16x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %scores = npu.matmul %q, %tokens trans_b : (tensor<1x16x4xf32, #npu.layout<NTensor>>, tensor<1x16x4xf32, #npu.layout<NTensor>>) -> tensor<1x16x16xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %soft = npu.softmax %scores axis = 2 : tensor<1x16x16xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %mix = npu.matmul %soft, %tokens : (tensor<1x16x16xf32, #npu.layout<NTensor>>, tensor<1x16x4xf32, #npu.layout<NTensor>>) -> tensor<1x16x4xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %image = npu.relabel %mix : (tensor<1x16x4xf32, #npu.layout<NTensor>>) -> tensor<1x16x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image_1 = npu.reshape %image : (tensor<1x16x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image_2 = npu.relabel %image_1 : (tensor<1x4x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %last = npu.conv2d %image_2, %k_1 : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %last : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
func.func @attention(%x: tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %w = npu.constant dense<0.25> : tensor<1x4x4xf32>
  %in = npu.transpose %x permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NCHW>>
  %conv = npu.conv2d %in, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x4x4xf32, #npu.layout<NCHW>>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %flat = npu.reshape %conv : (tensor<1x4x4x4xf32>) -> tensor<1x4x16xf32>
  %act = npu.tanh %flat : tensor<1x4x16xf32>
  %tokens = npu.transpose %act permutation = [0, 2, 1] : (tensor<1x4x16xf32>) -> tensor<1x16x4xf32>
  %q = npu.matmul %tokens, %w : (tensor<1x16x4xf32>, tensor<1x4x4xf32>) -> tensor<1x16x4xf32>
  %scores = npu.matmul %q, %tokens trans_b : (tensor<1x16x4xf32>, tensor<1x16x4xf32>) -> tensor<1x16x16xf32>
  %soft = npu.softmax %scores axis = 2 : tensor<1x16x16xf32>
  %mix = npu.matmul %soft, %tokens : (tensor<1x16x16xf32>, tensor<1x16x4xf32>) -> tensor<1x16x4xf32>
  %back = npu.transpose %mix permutation = [0, 2, 1] : (tensor<1x16x4xf32>) -> tensor<1x4x16xf32>
  %image = npu.reshape %back : (tensor<1x4x16xf32>) -> tensor<1x4x4x4xf32>
  %last = npu.conv2d %image, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %y = npu.transpose %last permutation = [0, 2, 3, 1] : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
}

// -----

/// A shuffle of channels moves data in any layout, so one transpose stays: that of the channels, not of the image. The
/// reshapes are views, which a pass that stops at reshapes does not see.
// CHECK-LABEL: func.func @shuffle
// CHECK-SAME:    (%x: tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %m1 = npu.mirror %x axes = [1] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m1_1 = npu.relabel %m1 : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %m1_2 = npu.reshape %m1_1 : (tensor<1x4x4x6xf32, #npu.layout<Tensor>>) -> tensor<4x4x2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image = npu.transpose %m1_2 permutation = [0, 1, 3, 2] : (tensor<4x4x2x3xf32, #npu.layout<Tensor>>) -> tensor<4x4x3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image_1 = npu.reshape %image : (tensor<4x4x3x2xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %image_2 = npu.relabel %image_1 : (tensor<1x4x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %image_2 axes = [1] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %m2 : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
func.func @shuffle(%x: tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>> {
  %m1 = npu.mirror %x axes = [1] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  %in = npu.transpose %m1 permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %groups = npu.reshape %in : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x2x3x4x4xf32>
  %swapped = npu.transpose %groups permutation = [0, 2, 1, 3, 4] : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %image = npu.reshape %swapped : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %m2 = npu.mirror %image axes = [2]
    : tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %y = npu.transpose %m2 permutation = [0, 2, 3, 1]
    : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
}

// -----

/// An image is cut into windows, each is worked on along its channels, and put back. The norm means the same for every
/// pixel, wherever its window is, so that nothing moves, and what is left of the windows is the image.
// CHECK-LABEL: func.func @windows
// CHECK-SAME:    (%x: tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %m1 = npu.mirror %x axes = [1] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %norm = npu.layer_norm %m1 axes = [3] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %norm axes = [1] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %m2 : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
func.func @windows(%x: tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>> {
  %m1 = npu.mirror %x axes = [1] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  %in = npu.transpose %m1 permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %cut = npu.reshape %in : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x6x2x2x2x2xf32>
  %windows = npu.transpose %cut permutation = [0, 2, 4, 3, 5, 1] : (tensor<1x6x2x2x2x2xf32>) -> tensor<1x2x2x2x2x6xf32>
  %tokens = npu.reshape %windows : (tensor<1x2x2x2x2x6xf32>) -> tensor<4x4x6xf32>
  %norm = npu.layer_norm %tokens axes = [2] : tensor<4x4x6xf32>
  %apart = npu.reshape %norm : (tensor<4x4x6xf32>) -> tensor<1x2x2x2x2x6xf32>
  %back = npu.transpose %apart permutation = [0, 5, 1, 3, 2, 4] : (tensor<1x2x2x2x2x6xf32>) -> tensor<1x6x2x2x2x2xf32>
  %image = npu.reshape %back : (tensor<1x6x2x2x2x2xf32>) -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %m2 = npu.mirror %image axes = [2]
    : tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %y = npu.transpose %m2 permutation = [0, 2, 3, 1]
    : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
}

// -----

/// Squeeze and excite, exported without letters: the means of the channels are one axis, so their matrix product fits
/// any order of the image, and only what comes in is moved. The constant of the product keeps a region from joining.
// CHECK-LABEL: func.func @squeeze_excite
// CHECK-SAME:    (%x: tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w = npu.constant dense<2.500000e-01> : tensor<4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [2] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %plain = npu.relabel %m1 : (tensor<1x6x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x6x6x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %mean = npu.reduce_mean %plain axes = [1, 2] : (tensor<1x6x6x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %gemm = npu.gemm %mean, %w : (tensor<1x4xf32, #npu.layout<Tensor>>, tensor<4x4xf32, #npu.layout<Tensor>>) -> tensor<1x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %gate = npu.sigmoid %gemm : tensor<1x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %spread = npu.reshape %gate : (tensor<1x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x1x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %spread_1 = npu.reshape %spread : (tensor<1x4x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x1x1x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %mul = npu.mul %plain, %spread_1 : (tensor<1x6x6x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>, tensor<1x1x1x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x6x6x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>
// CHECK-NEXT:    %image = npu.relabel %mul : (tensor<1x6x6x4xf32, #npu.layout<Tensor, [0, 2, 3, 1]>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %image axes = [1] : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %m2 : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
func.func @squeeze_excite(%x: tensor<1x4x6x6xf32>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>> {
  %w = npu.constant dense<0.25> : tensor<4x4xf32>
  %m1 = npu.mirror %x axes = [3] data_layout = <NCHW> : tensor<1x4x6x6xf32>
  %plain = npu.relabel %m1 : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32, #npu.layout<Tensor>>
  %mean = npu.reduce_mean %plain axes = [2, 3]
    : (tensor<1x4x6x6xf32, #npu.layout<Tensor>>) -> tensor<1x4xf32, #npu.layout<Tensor>>
  %gemm = npu.gemm %mean, %w
    : (tensor<1x4xf32, #npu.layout<Tensor>>, tensor<4x4xf32>) -> tensor<1x4xf32, #npu.layout<Tensor>>
  %gate = npu.sigmoid %gemm : tensor<1x4xf32, #npu.layout<Tensor>>
  %spread = npu.reshape %gate : (tensor<1x4xf32, #npu.layout<Tensor>>) -> tensor<1x4x1x1xf32, #npu.layout<Tensor>>
  %mul = npu.mul %plain, %spread
    : (tensor<1x4x6x6xf32, #npu.layout<Tensor>>, tensor<1x4x1x1xf32, #npu.layout<Tensor>>)
    -> tensor<1x4x6x6xf32, #npu.layout<Tensor>>
  %image = npu.relabel %mul : (tensor<1x4x6x6xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x6xf32, #npu.layout<NCHW>>
  %m2 = npu.mirror %image axes = [2]
    : tensor<1x4x6x6xf32, #npu.layout<NCHW>>
  %y = npu.transpose %m2 permutation = [0, 2, 3, 1]
    : (tensor<1x4x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x6x6x4xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x6x6x4xf32, #npu.layout<NHWC>>
}

// -----

/// Height and width become one axis and two again: in NHWC they are adjacent as well, and the softmax goes along
/// another axis. By regions the tensor between is put back.
// CHECK-LABEL: func.func @spatial_reshape
// CHECK-SAME:    (%x: tensor<1x4x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %m1 = npu.mirror %x axes = [1] : tensor<1x4x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.reshape %m1 : (tensor<1x4x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x24x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %soft = npu.softmax %flat axis = 1 : tensor<1x24x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %image = npu.reshape %soft : (tensor<1x24x4xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x4x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %image axes = [1] : tensor<1x4x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %m2 : tensor<1x4x6x4xf32, #npu.layout<NHWC>>
func.func @spatial_reshape(%x: tensor<1x4x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x4xf32, #npu.layout<NHWC>> {
  %m1 = npu.mirror %x axes = [1] : tensor<1x4x6x4xf32, #npu.layout<NHWC>>
  %in = npu.transpose %m1 permutation = [0, 3, 1, 2]
    : (tensor<1x4x6x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x6xf32, #npu.layout<NCHW>>
  %flat = npu.reshape %in : (tensor<1x4x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x24xf32>
  %soft = npu.softmax %flat axis = 2 : tensor<1x4x24xf32>
  %image = npu.reshape %soft : (tensor<1x4x24xf32>) -> tensor<1x4x4x6xf32, #npu.layout<NCHW>>
  %m2 = npu.mirror %image axes = [2]
    : tensor<1x4x4x6xf32, #npu.layout<NCHW>>
  %y = npu.transpose %m2 permutation = [0, 2, 3, 1]
    : (tensor<1x4x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x4xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x6x4xf32, #npu.layout<NHWC>>
}

// -----

/// A flatten reads channels first, and the matrix behind it is fixed from outside: one transpose has to be there, but
/// behind the pool, where the data is smallest. Strategies that leave the transposes of the program alone move more.
// CHECK-LABEL: func.func @flatten
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32, #npu.layout<NHWC>>, %w: tensor<16x3xf32, #npu.layout<Tensor>>) -> tensor<1x3xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %m = npu.mirror %x axes = [1] : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %pool = npu.max_pool %m window = [2, 2] strides = [2, 2] : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x2x2x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %pool_1 = npu.transpose %pool permutation = [0, 3, 1, 2] : (tensor<1x2x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %relu = npu.relu %pool_1 : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %flat = npu.reshape %relu : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.gemm %flat, %w : (tensor<1x16xf32, #npu.layout<Tensor>>, tensor<16x3xf32, #npu.layout<Tensor>>) -> tensor<1x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x3xf32, #npu.layout<Tensor>>
func.func @flatten(%x: tensor<1x4x4x4xf32, #npu.layout<NHWC>>, %w: tensor<16x3xf32>) -> tensor<1x3xf32> {
  %m = npu.mirror %x axes = [1] : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  %in = npu.transpose %m permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NCHW>>
  %pool = npu.max_pool %in window = [2, 2] strides = [2, 2] data_layout = <NCHW>
    : (tensor<1x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x2xf32>
  %relu = npu.relu %pool : tensor<1x4x2x2xf32>
  %flat = npu.reshape %relu : (tensor<1x4x2x2xf32>) -> tensor<1x16xf32>
  %y = npu.gemm %flat, %w : (tensor<1x16xf32>, tensor<16x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

// -----

/// Channels are picked by number between two mirrors: the gather picks along another axis, and nothing is put back. Greedy
/// passes keep the present transpose and add another.
// CHECK-LABEL: func.func @channel_gather
// CHECK-SAME:    (%x: tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x3xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %m1 = npu.mirror %x axes = [1] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %which = npu.constant dense<[4, 0, 2]> : tensor<3xi64, #npu.layout<Tensor>>
// CHECK-NEXT:    %picked = npu.gather %m1, %which axis = 3 : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>, tensor<3xi64, #npu.layout<Tensor>>) -> tensor<1x4x4x3xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %m2 = npu.mirror %picked axes = [1] : tensor<1x4x4x3xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %m2 : tensor<1x4x4x3xf32, #npu.layout<NHWC>>
func.func @channel_gather(%x: tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x3xf32, #npu.layout<NHWC>> {
  %m1 = npu.mirror %x axes = [1] : tensor<1x4x4x6xf32, #npu.layout<NHWC>>
  %in = npu.transpose %m1 permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x6xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x4xf32, #npu.layout<NCHW>>
  %which = npu.constant dense<[4, 0, 2]> : tensor<3xi64>
  %picked = npu.gather %in, %which axis = 1
    : (tensor<1x6x4x4xf32, #npu.layout<NCHW>>, tensor<3xi64>) -> tensor<1x3x4x4xf32, #npu.layout<NCHW>>
  %m2 = npu.mirror %picked axes = [2]
    : tensor<1x3x4x4xf32, #npu.layout<NCHW>>
  %y = npu.transpose %m2 permutation = [0, 2, 3, 1]
    : (tensor<1x3x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x3xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x3xf32, #npu.layout<NHWC>>
}

// -----

/// Detection heads: the boxes of two scales are joined with their channels first and turned in the end. In NHWC they are
/// turned from the start, and only the image is moved. Where sequences keep their order each head is put back.
// CHECK-LABEL: func.func @heads
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x20x4xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %k = npu.constant dense<5.000000e-01> : tensor<4x4x1x1xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    %k_1 = npu.reshape %k : (tensor<4x4x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x1x4x4xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %a = npu.conv2d %x_1, %k_1 : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x4x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %b = npu.conv2d %x_1, %k_1 strides = [2, 2] : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>, tensor<1x1x4x4xf32, #npu.layout<HWOI>>) -> tensor<1x2x2x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %ra = npu.reshape %a : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x16x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %rb = npu.reshape %b : (tensor<1x2x2x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %all = npu.concat %ra, %rb axis = 1 : (tensor<1x16x4xf32, #npu.layout<Tensor, [0, 2, 1]>>, tensor<1x4x4xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x20x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %act = npu.sigmoid %all : tensor<1x20x4xf32, #npu.layout<Tensor, [0, 2, 1]>>
// CHECK-NEXT:    %y = npu.relabel %act : (tensor<1x20x4xf32, #npu.layout<Tensor, [0, 2, 1]>>) -> tensor<1x20x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x20x4xf32, #npu.layout<Tensor>>
func.func @heads(%x: tensor<1x4x4x4xf32>) -> tensor<1x20x4xf32> {
  %k = npu.constant dense<0.5> : tensor<4x4x1x1xf32>
  %a = npu.conv2d %x, %k data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %b = npu.conv2d %x, %k strides = [2, 2] data_layout = <NCHW> kernel_layout = <OIHW>
    : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %ra = npu.reshape %a : (tensor<1x4x4x4xf32>) -> tensor<1x4x16xf32>
  %rb = npu.reshape %b : (tensor<1x4x2x2xf32>) -> tensor<1x4x4xf32>
  %all = npu.concat %ra, %rb axis = 2 : (tensor<1x4x16xf32>, tensor<1x4x4xf32>) -> tensor<1x4x20xf32>
  %act = npu.sigmoid %all : tensor<1x4x20xf32>
  %y = npu.transpose %act permutation = [0, 2, 1] : (tensor<1x4x20xf32>) -> tensor<1x20x4xf32>
  func.return %y : tensor<1x20x4xf32>
}

// -----

/// A flatten in front of a constant matrix: the features stay in NHWC, and the rows of the matrix are stored in the order
/// of the flattened features. All strategies by regions transpose the features back to NCHW.
// CHECK-LABEL: func.func @flatten_and_constant
// CHECK-SAME:    (%x: tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x3xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %m = npu.mirror %x axes = [1] : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %flat = npu.relabel %m : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %flat_1 = npu.reshape %flat : (tensor<1x4x4x4xf32, #npu.layout<Tensor>>) -> tensor<1x64xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %w = npu.constant dense<5.000000e-01> : tensor<3x64xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %w_1 = npu.reshape %w : (tensor<3x64xf32, #npu.layout<Tensor>>) -> tensor<3x4x16xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %w_2 = npu.transpose %w_1 permutation = [0, 2, 1] : (tensor<3x4x16xf32, #npu.layout<Tensor>>) -> tensor<3x16x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %w_3 = npu.reshape %w_2 : (tensor<3x16x4xf32, #npu.layout<Tensor>>) -> tensor<3x64xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.gemm %flat_1, %w_3 trans_b : (tensor<1x64xf32, #npu.layout<Tensor>>, tensor<3x64xf32, #npu.layout<Tensor>>) -> tensor<1x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x3xf32, #npu.layout<Tensor>>
func.func @flatten_and_constant(%x: tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x3xf32> {
  %m = npu.mirror %x axes = [1] : tensor<1x4x4x4xf32, #npu.layout<NHWC>>
  %in = npu.transpose %m permutation = [0, 3, 1, 2]
    : (tensor<1x4x4x4xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x4xf32, #npu.layout<NCHW>>
  %flat = npu.reshape %in : (tensor<1x4x4x4xf32, #npu.layout<NCHW>>) -> tensor<1x64xf32>
  %w = npu.constant dense<0.5> : tensor<3x64xf32>
  %y = npu.gemm %flat, %w trans_b : (tensor<1x64xf32>, tensor<3x64xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

// -----

/// The product sums up in the order of NHWC, through the relu in between, and its matrix is stored to match.
// CHECK-LABEL: func.func @gemm_behind_relu
// CHECK-SAME:    (%x: tensor<1x2x3x4xf32, #npu.layout<NCHW>>) -> tensor<1x3xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x2x3x4xf32, #npu.layout<NCHW>>) -> tensor<1x3x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<24x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %w_1 = npu.reshape %w : (tensor<24x3xf32, #npu.layout<Tensor>>) -> tensor<2x12x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %m1 = npu.mirror %x_1 axes = [1] : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu = npu.relu %m1 : tensor<1x3x4x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %relu_1 = npu.relabel %relu : (tensor<1x3x4x2xf32, #npu.layout<NHWC>>) -> tensor<1x3x4x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %relu_2 = npu.reshape %relu_1 : (tensor<1x3x4x2xf32, #npu.layout<Tensor>>) -> tensor<1x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %w_2 = npu.transpose %w_1 permutation = [1, 0, 2] : (tensor<2x12x3xf32, #npu.layout<Tensor>>) -> tensor<12x2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %w_3 = npu.reshape %w_2 : (tensor<12x2x3xf32, #npu.layout<Tensor>>) -> tensor<24x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.gemm %relu_2, %w_3 : (tensor<1x24xf32, #npu.layout<Tensor>>, tensor<24x3xf32, #npu.layout<Tensor>>) -> tensor<1x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x3xf32, #npu.layout<Tensor>>
func.func @gemm_behind_relu(%x: tensor<1x2x3x4xf32>) -> tensor<1x3xf32> {
  %w = npu.constant #npu.reference<"w.safetensors", "w"> : tensor<24x3xf32>
  %m1 = npu.mirror %x axes = [2] data_layout = <NCHW> : tensor<1x2x3x4xf32>
  %flat = npu.reshape %m1 : (tensor<1x2x3x4xf32>) -> tensor<1x24xf32>
  %relu = npu.relu %flat : tensor<1x24xf32>
  %y = npu.gemm %relu, %w : (tensor<1x24xf32>, tensor<24x3xf32>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
}

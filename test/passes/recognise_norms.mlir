// RUN: npu-opt %s --recognise-norms --split-input-file | filecheck %s
// RUN: npu-opt %s --recognise-norms --recognise-norms --split-input-file | filecheck %s
// RUN: npu-opt %s --recognise-norms=formulas=false --split-input-file | filecheck %s --check-prefix=AS-IT-CAME

/// The formula as PyTorch exports it, with its scale and bias.
// CHECK-LABEL: func.func @formula
// CHECK-SAME:    (%x: tensor<1x64x8xf32>) -> tensor<1x64x8xf32> {
// CHECK-NEXT:    %scale = npu.constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]]> : tensor<1x1x8xf32>
// CHECK-NEXT:    %bias = npu.constant dense<[[[8.000000e+00, 7.000000e+00, 6.000000e+00, 5.000000e+00, 4.000000e+00, 3.000000e+00, 2.000000e+00, 1.000000e+00]]]> : tensor<1x1x8xf32>
// CHECK-NEXT:    %y = npu.layer_norm %x scale(%scale : tensor<1x1x8xf32>) bias(%bias : tensor<1x1x8xf32>) axes = [2] epsilon = 5.000000e-01 : tensor<1x64x8xf32>
// CHECK-NEXT:    func.return %y : tensor<1x64x8xf32>
func.func @formula(%x: tensor<1x64x8xf32>) -> tensor<1x64x8xf32> {
  %two = npu.constant dense<2.0> : tensor<f32>
  %epsilon = npu.constant dense<0.5> : tensor<f32>
  %scale = npu.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]]> : tensor<1x1x8xf32>
  %bias = npu.constant dense<[[[8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]]]> : tensor<1x1x8xf32>
  %mean = npu.reduce_mean %x axes = [2] keep : (tensor<1x64x8xf32>) -> tensor<1x64x1xf32>
  %distance = npu.sub %x, %mean : (tensor<1x64x8xf32>, tensor<1x64x1xf32>) -> tensor<1x64x8xf32>
  %square = npu.pow %distance, %two : (tensor<1x64x8xf32>, tensor<f32>) -> tensor<1x64x8xf32>
  %variance = npu.reduce_mean %square axes = [2] keep : (tensor<1x64x8xf32>) -> tensor<1x64x1xf32>
  %shifted = npu.add %variance, %epsilon : (tensor<1x64x1xf32>, tensor<f32>) -> tensor<1x64x1xf32>
  %root = npu.sqrt %shifted : tensor<1x64x1xf32>
  %quotient = npu.div %distance, %root : (tensor<1x64x8xf32>, tensor<1x64x1xf32>) -> tensor<1x64x8xf32>
  %scaled = npu.mul %quotient, %scale : (tensor<1x64x8xf32>, tensor<1x1x8xf32>) -> tensor<1x64x8xf32>
  %y = npu.add %scaled, %bias : (tensor<1x64x8xf32>, tensor<1x1x8xf32>) -> tensor<1x64x8xf32>
  func.return %y : tensor<1x64x8xf32>
}

// -----

/// The same by way of the inverse of the root; what was read besides stays, and sizes may be unknown.
// CHECK-LABEL: func.func @inverse_root
// CHECK-SAME:    (%x: tensor<?x?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>) {
// CHECK-NEXT:    %y = npu.layer_norm %x axes = [2] epsilon = 2.500000e-01 : tensor<?x?x8xf32>
// CHECK-NEXT:    %other = npu.relu %x : tensor<?x?x8xf32>
// CHECK-NEXT:    func.return %y, %other : tensor<?x?x8xf32>, tensor<?x?x8xf32>
func.func @inverse_root(%x: tensor<?x?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x?x8xf32>) {
  %epsilon = npu.constant dense<0.25> : tensor<1x1x1xf32>
  %mean = npu.reduce_mean %x axes = [2] keep : (tensor<?x?x8xf32>) -> tensor<?x?x1xf32>
  %distance = npu.sub %x, %mean : (tensor<?x?x8xf32>, tensor<?x?x1xf32>) -> tensor<?x?x8xf32>
  %square = npu.mul %distance, %distance : tensor<?x?x8xf32>
  %variance = npu.reduce_mean %square axes = [2] keep : (tensor<?x?x8xf32>) -> tensor<?x?x1xf32>
  %shifted = npu.add %epsilon, %variance : (tensor<1x1x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
  %inverse = npu.rsqrt %shifted : tensor<?x?x1xf32>
  %y = npu.mul %inverse, %distance : (tensor<?x?x1xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %other = npu.relu %x : tensor<?x?x8xf32>
  func.return %y, %other : tensor<?x?x8xf32>, tensor<?x?x8xf32>
}

// -----

/// Without the mean it is a root mean square norm; axes are those of stored data.
// CHECK-LABEL: func.func @root_mean_square
// CHECK-SAME:    (%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %y = npu.rms_norm %x axes = [3] epsilon = 2.500000e-01 : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
func.func @root_mean_square(%x: tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x8xf32, #npu.layout<NHWC>> {
  %epsilon = npu.constant dense<0.25> : tensor<1xf32, #npu.layout<Tensor>>
  %square = npu.mul %x, %x
    : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  %mean = npu.reduce_mean %square axes = [3] keep
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x4x1xf32, #npu.layout<NHWC>>
  %shifted = npu.add %mean, %epsilon
    : (tensor<1x4x4x1xf32, #npu.layout<NHWC>>, tensor<1xf32, #npu.layout<Tensor>>)
    -> tensor<1x4x4x1xf32, #npu.layout<NHWC>>
  %root = npu.sqrt %shifted
    : tensor<1x4x4x1xf32, #npu.layout<NHWC>>
  %inverse = npu.reciprocal %root
    : tensor<1x4x4x1xf32, #npu.layout<NHWC>>
  %y = npu.mul %x, %inverse
    : (tensor<1x4x4x8xf32, #npu.layout<NHWC>>, tensor<1x4x4x1xf32, #npu.layout<NHWC>>)
    -> tensor<1x4x4x8xf32, #npu.layout<NHWC>>
  func.return %y : tensor<1x4x4x8xf32, #npu.layout<NHWC>>
}

// -----

/// A group norm as PyTorch exports it: an instance norm of the groups between reshapes, then a scale and a bias.
// CHECK-LABEL: func.func @groups
// CHECK-SAME:    (%x: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
// CHECK-NEXT:    %scale = npu.constant dense<[[[1.000000e+00]], [[2.000000e+00]], [[3.000000e+00]], [[4.000000e+00]], [[5.000000e+00]], [[6.000000e+00]], [[7.000000e+00]], [[8.000000e+00]]]> : tensor<8x1x1xf32>
// CHECK-NEXT:    %bias = npu.constant dense<[[[8.000000e+00]], [[7.000000e+00]], [[6.000000e+00]], [[5.000000e+00]], [[4.000000e+00]], [[3.000000e+00]], [[2.000000e+00]], [[1.000000e+00]]]> : tensor<8x1x1xf32>
// CHECK-NEXT:    %scales = npu.reshape %scale : (tensor<8x1x1xf32>) -> tensor<1x8x1x1xf32>
// CHECK-NEXT:    %biases = npu.reshape %bias : (tensor<8x1x1xf32>) -> tensor<1x8x1x1xf32>
// CHECK-NEXT:    %0 = npu.reshape %scales : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %1 = npu.reshape %biases : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %y = npu.group_norm %x, %0, %1 groups = 2 axis = 1 axes = [2, 3] epsilon = 5.000000e-01 : (tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x4x4xf32>
// CHECK-NEXT:    func.return %y : tensor<2x8x4x4xf32>
func.func @groups(%x: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
  %ones = npu.constant dense<1.0> : tensor<2xf32>
  %zeros = npu.constant dense<0.0> : tensor<2xf32>
  %scale = npu.constant dense<[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]]]> : tensor<8x1x1xf32>
  %bias = npu.constant dense<[[[8.0]], [[7.0]], [[6.0]], [[5.0]], [[4.0]], [[3.0]], [[2.0]], [[1.0]]]> : tensor<8x1x1xf32>
  %scales = npu.reshape %scale : (tensor<8x1x1xf32>) -> tensor<1x8x1x1xf32>
  %biases = npu.reshape %bias : (tensor<8x1x1xf32>) -> tensor<1x8x1x1xf32>
  %grouped = npu.reshape %x : (tensor<2x8x4x4xf32>) -> tensor<2x2x64xf32>
  %norm = npu.instance_norm %grouped, %ones, %zeros axis = 1 axes = [2] epsilon = 0.5
    : (tensor<2x2x64xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x64xf32>
  %back = npu.reshape %norm : (tensor<2x2x64xf32>) -> tensor<2x8x4x4xf32>
  %scaled = npu.mul %back, %scales : (tensor<2x8x4x4xf32>, tensor<1x8x1x1xf32>) -> tensor<2x8x4x4xf32>
  %y = npu.add %biases, %scaled : (tensor<1x8x1x1xf32>, tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  func.return %y : tensor<2x8x4x4xf32>
}

// -----

/// One group is a layer norm over channels and places.
// CHECK-LABEL: func.func @one_group
// CHECK-SAME:    (%x: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
// CHECK-NEXT:    %scale = npu.constant dense<3.000000e+00> : tensor<1xf32>
// CHECK-NEXT:    %y = npu.layer_norm %x scale(%scale : tensor<1xf32>) axes = [1, 2, 3] : tensor<2x8x4x4xf32>
// CHECK-NEXT:    func.return %y : tensor<2x8x4x4xf32>
func.func @one_group(%x: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> {
  %scale = npu.constant dense<3.0> : tensor<1xf32>
  %bias = npu.constant dense<0.0> : tensor<1xf32>
  %flat = npu.reshape %x : (tensor<2x8x4x4xf32>) -> tensor<2x1x128xf32>
  %norm = npu.instance_norm %flat, %scale, %bias axis = 1 axes = [2]
    : (tensor<2x1x128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x128xf32>
  %y = npu.reshape %norm : (tensor<2x1x128xf32>) -> tensor<2x8x4x4xf32>
  func.return %y : tensor<2x8x4x4xf32>
}

// -----

/// Scale and bias per group are repeated for the channels of the group.
// CHECK-LABEL: func.func @scale_per_group
// CHECK-SAME:    (%x: tensor<2x8x4x4xf32>, %scale: tensor<2xf32>) -> tensor<2x8x4x4xf32> {
// CHECK-NEXT:    %bias = npu.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:    %0 = npu.reshape %scale : (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK-NEXT:    %1 = npu.broadcast %0 axes = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %2 = npu.reshape %1 : (tensor<2x4xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %3 = npu.reshape %bias : (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK-NEXT:    %4 = npu.broadcast %3 axes = [0, 1] : (tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    %5 = npu.reshape %4 : (tensor<2x4xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %y = npu.group_norm %x, %2, %5 groups = 2 axis = 1 axes = [2, 3] : (tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x4x4xf32>
// CHECK-NEXT:    func.return %y : tensor<2x8x4x4xf32>
func.func @scale_per_group(%x: tensor<2x8x4x4xf32>, %scale: tensor<2xf32>) -> tensor<2x8x4x4xf32> {
  %bias = npu.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %grouped = npu.reshape %x : (tensor<2x8x4x4xf32>) -> tensor<2x2x4x4x4xf32>
  %norm = npu.instance_norm %grouped, %scale, %bias axis = 1 axes = [2, 3, 4]
    : (tensor<2x2x4x4x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x4x4x4xf32>
  %y = npu.reshape %norm : (tensor<2x2x4x4x4xf32>) -> tensor<2x8x4x4xf32>
  func.return %y : tensor<2x8x4x4xf32>
}

// -----

/// Channels that stay whole make it an instance norm again.
// CHECK-LABEL: func.func @places
// CHECK-SAME:    (%x: tensor<2x8x4x4xf32>, %scale: tensor<8xf32>, %bias: tensor<8xf32>) -> tensor<2x8x4x4xf32> {
// CHECK-NEXT:    %y = npu.instance_norm %x, %scale, %bias axis = 1 axes = [2, 3] : (tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x4x4xf32>
// CHECK-NEXT:    func.return %y : tensor<2x8x4x4xf32>
func.func @places(%x: tensor<2x8x4x4xf32>, %scale: tensor<8xf32>, %bias: tensor<8xf32>) -> tensor<2x8x4x4xf32> {
  %flat = npu.reshape %x : (tensor<2x8x4x4xf32>) -> tensor<2x8x16xf32>
  %norm = npu.instance_norm %flat, %scale, %bias axis = 1 axes = [2]
    : (tensor<2x8x16xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x16xf32>
  %y = npu.reshape %norm : (tensor<2x8x16xf32>) -> tensor<2x8x4x4xf32>
  func.return %y : tensor<2x8x4x4xf32>
}

// -----

/// Groups whose norm is spelled out: the formula becomes a layer norm first, and that one a group norm.
// CHECK-LABEL: func.func @spelled_groups
// CHECK-SAME:    (%x: tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %0 = npu.constant dense<1.000000e+00> : tensor<4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %1 = npu.constant dense<0.000000e+00> : tensor<4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.group_norm %x, %0, %1 groups = 2 axis = 1 axes = [2, 3] epsilon = 2.500000e-01 : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>, tensor<4xf32, #npu.layout<Tensor>>, tensor<4xf32, #npu.layout<Tensor>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
func.func @spelled_groups(%x: tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>> {
  %epsilon = npu.constant dense<0.25> : tensor<1xf32, #npu.layout<Tensor>>
  %grouped = npu.reshape %x
    : (tensor<1x4x2x2xf32, #npu.layout<NCHW>>) -> tensor<2x8xf32, #npu.layout<Tensor>>
  %mean = npu.reduce_mean %grouped axes = [1] keep
    : (tensor<2x8xf32, #npu.layout<Tensor>>) -> tensor<2x1xf32, #npu.layout<Tensor>>
  %distance = npu.sub %grouped, %mean
    : (tensor<2x8xf32, #npu.layout<Tensor>>, tensor<2x1xf32, #npu.layout<Tensor>>)
    -> tensor<2x8xf32, #npu.layout<Tensor>>
  %square = npu.mul %distance, %distance
    : tensor<2x8xf32, #npu.layout<Tensor>>
  %variance = npu.reduce_mean %square axes = [1] keep
    : (tensor<2x8xf32, #npu.layout<Tensor>>) -> tensor<2x1xf32, #npu.layout<Tensor>>
  %shifted = npu.add %variance, %epsilon
    : (tensor<2x1xf32, #npu.layout<Tensor>>, tensor<1xf32, #npu.layout<Tensor>>)
    -> tensor<2x1xf32, #npu.layout<Tensor>>
  %root = npu.sqrt %shifted : tensor<2x1xf32, #npu.layout<Tensor>>
  %quotient = npu.div %distance, %root
    : (tensor<2x8xf32, #npu.layout<Tensor>>, tensor<2x1xf32, #npu.layout<Tensor>>)
    -> tensor<2x8xf32, #npu.layout<Tensor>>
  %y = npu.reshape %quotient
    : (tensor<2x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x2x2xf32, #npu.layout<NCHW>>
  func.return %y : tensor<1x4x2x2xf32, #npu.layout<NCHW>>
}

// -----

/// Left alone, for the root is read elsewhere and would be computed twice.
// CHECK-LABEL: func.func @root_is_read
// CHECK-SAME:    (%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
// CHECK-NEXT:    %epsilon = npu.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT:    %square = npu.mul %x, %x : tensor<4x8xf32>
// CHECK-NEXT:    %variance = npu.reduce_mean %square axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    %shifted = npu.add %variance, %epsilon : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
// CHECK-NEXT:    %root = npu.sqrt %shifted : tensor<4x1xf32>
// CHECK-NEXT:    %y = npu.div %x, %root : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    func.return %y, %root : tensor<4x8xf32>, tensor<4x1xf32>
func.func @root_is_read(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  %epsilon = npu.constant dense<0.25> : tensor<f32>
  %square = npu.mul %x, %x : tensor<4x8xf32>
  %variance = npu.reduce_mean %square axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %shifted = npu.add %variance, %epsilon : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %root = npu.sqrt %shifted : tensor<4x1xf32>
  %y = npu.div %x, %root : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  func.return %y, %root : tensor<4x8xf32>, tensor<4x1xf32>
}

// -----

/// Means along different axes are no layer norm; what is left is a root mean square norm of the distance.
// CHECK-LABEL: func.func @other_axes
// CHECK-SAME:    (%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:    %mean = npu.reduce_mean %x axes = [0] keep : (tensor<4x8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT:    %distance = npu.sub %x, %mean : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %y = npu.rms_norm %distance axes = [1] epsilon = 2.500000e-01 : tensor<4x8xf32>
// CHECK-NEXT:    func.return %y : tensor<4x8xf32>
func.func @other_axes(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %epsilon = npu.constant dense<0.25> : tensor<f32>
  %mean = npu.reduce_mean %x axes = [0] keep : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %distance = npu.sub %x, %mean : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %square = npu.mul %distance, %distance : tensor<4x8xf32>
  %variance = npu.reduce_mean %square axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %shifted = npu.add %variance, %epsilon : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %root = npu.sqrt %shifted : tensor<4x1xf32>
  %y = npu.div %distance, %root : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}

// -----

/// Left alone, for the sets that are normalised are no runs of neighbours: each has every second pair of rows.
// CHECK-LABEL: func.func @torn_places
// CHECK-SAME:    (%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:    %cut = npu.reshape %x : (tensor<1x2x4x4xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %norm = npu.layer_norm %cut axes = [0] : tensor<4x8xf32>
// CHECK-NEXT:    %y = npu.reshape %norm : (tensor<4x8xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:    func.return %y : tensor<1x2x4x4xf32>
func.func @torn_places(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %cut = npu.reshape %x : (tensor<1x2x4x4xf32>) -> tensor<4x8xf32>
  %norm = npu.layer_norm %cut axes = [0] : tensor<4x8xf32>
  %y = npu.reshape %norm : (tensor<4x8xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

// -----

/// Left alone, for scale and bias change along two axes at once, or the second reshape is not the first one undone.
// CHECK-LABEL: func.func @other_views
// CHECK-SAME:    (%x: tensor<2x4x4x4xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<2x4x4x4xf32>, tensor<4x2x4x4xf32>) {
// CHECK-NEXT:    %joined = npu.reshape %x : (tensor<2x4x4x4xf32>) -> tensor<1x8x16xf32>
// CHECK-NEXT:    %norm = npu.instance_norm %joined, %s, %b axis = 1 axes = [2] : (tensor<1x8x16xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x16xf32>
// CHECK-NEXT:    %y = npu.reshape %norm : (tensor<1x8x16xf32>) -> tensor<2x4x4x4xf32>
// CHECK-NEXT:    %flat = npu.reshape %x : (tensor<2x4x4x4xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %other = npu.layer_norm %flat axes = [1] : tensor<8x16xf32>
// CHECK-NEXT:    %z = npu.reshape %other : (tensor<8x16xf32>) -> tensor<4x2x4x4xf32>
// CHECK-NEXT:    func.return %y, %z : tensor<2x4x4x4xf32>, tensor<4x2x4x4xf32>
func.func @other_views(%x: tensor<2x4x4x4xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<2x4x4x4xf32>, tensor<4x2x4x4xf32>) {
  %joined = npu.reshape %x : (tensor<2x4x4x4xf32>) -> tensor<1x8x16xf32>
  %norm = npu.instance_norm %joined, %s, %b axis = 1 axes = [2]
    : (tensor<1x8x16xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8x16xf32>
  %y = npu.reshape %norm : (tensor<1x8x16xf32>) -> tensor<2x4x4x4xf32>
  %flat = npu.reshape %x : (tensor<2x4x4x4xf32>) -> tensor<8x16xf32>
  %other = npu.layer_norm %flat axes = [1] : tensor<8x16xf32>
  %z = npu.reshape %other : (tensor<8x16xf32>) -> tensor<4x2x4x4xf32>
  func.return %y, %z : tensor<2x4x4x4xf32>, tensor<4x2x4x4xf32>
}

// -----

/// A factor larger than the norm, one that is no constant, and one behind a bias stay outside.
// CHECK-LABEL: func.func @no_parameters
// CHECK-SAME:    (%x: tensor<4x1xf32>, %gate: tensor<4x1xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
// CHECK-NEXT:    %wide = npu.constant dense<2.000000e+00> : tensor<4x8xf32>
// CHECK-NEXT:    %one = npu.constant dense<1.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT:    %a = npu.layer_norm %x axes = [0] : tensor<4x1xf32>
// CHECK-NEXT:    %b = npu.mul %a, %wide : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %c = npu.layer_norm %x axes = [0] : tensor<4x1xf32>
// CHECK-NEXT:    %d = npu.mul %c, %gate : tensor<4x1xf32>
// CHECK-NEXT:    %f = npu.layer_norm %x bias(%one : tensor<1x1xf32>) axes = [0] : tensor<4x1xf32>
// CHECK-NEXT:    %two = npu.constant dense<2.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT:    %g = npu.mul %f, %two : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
// CHECK-NEXT:    func.return %b, %d, %g : tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>
func.func @no_parameters(%x: tensor<4x1xf32>, %gate: tensor<4x1xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %wide = npu.constant dense<2.0> : tensor<4x8xf32>
  %one = npu.constant dense<1.0> : tensor<1x1xf32>
  %a = npu.layer_norm %x axes = [0] : tensor<4x1xf32>
  %b = npu.mul %a, %wide : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = npu.layer_norm %x axes = [0] : tensor<4x1xf32>
  %d = npu.mul %c, %gate : tensor<4x1xf32>
  %e = npu.layer_norm %x axes = [0] : tensor<4x1xf32>
  %f = npu.add %e, %one : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  %two = npu.constant dense<2.0> : tensor<1x1xf32>
  %g = npu.mul %f, %two : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  func.return %b, %d, %g : tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

/// With `formulas=false` arithmetic stays, and a norm between reshapes does not.
// AS-IT-CAME-LABEL: func.func @both
// AS-IT-CAME-SAME:    (%x: tensor<4x8xf32>, %image: tensor<1x8x2x2xf32>) -> (tensor<4x8xf32>, tensor<1x8x2x2xf32>) {
// AS-IT-CAME-NEXT:    %epsilon = npu.constant dense<5.000000e-01> : tensor<f32>
// AS-IT-CAME-NEXT:    %mean = npu.reduce_mean %x axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
// AS-IT-CAME-NEXT:    %distance = npu.sub %x, %mean : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
// AS-IT-CAME-NEXT:    %square = npu.mul %distance, %distance : tensor<4x8xf32>
// AS-IT-CAME-NEXT:    %variance = npu.reduce_mean %square axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
// AS-IT-CAME-NEXT:    %shifted = npu.add %variance, %epsilon : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
// AS-IT-CAME-NEXT:    %root = npu.sqrt %shifted : tensor<4x1xf32>
// AS-IT-CAME-NEXT:    %quotient = npu.div %distance, %root : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
// AS-IT-CAME-NEXT:    %back = npu.layer_norm %image axes = [1, 2, 3] epsilon = 5.000000e-01 : tensor<1x8x2x2xf32>
// AS-IT-CAME-NEXT:    func.return %quotient, %back : tensor<4x8xf32>, tensor<1x8x2x2xf32>
// CHECK-LABEL: func.func @both
// CHECK-NEXT:    %quotient = npu.layer_norm %x axes = [1] epsilon = 5.000000e-01 : tensor<4x8xf32>
// CHECK-NEXT:    %back = npu.layer_norm %image axes = [1, 2, 3] epsilon = 5.000000e-01 : tensor<1x8x2x2xf32>
// CHECK-NEXT:    func.return %quotient, %back : tensor<4x8xf32>, tensor<1x8x2x2xf32>
func.func @both(%x: tensor<4x8xf32>, %image: tensor<1x8x2x2xf32>) -> (tensor<4x8xf32>, tensor<1x8x2x2xf32>) {
  %epsilon = npu.constant dense<0.5> : tensor<f32>
  %mean = npu.reduce_mean %x axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %distance = npu.sub %x, %mean : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %square = npu.mul %distance, %distance : tensor<4x8xf32>
  %variance = npu.reduce_mean %square axes = [1] keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %shifted = npu.add %variance, %epsilon : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %root = npu.sqrt %shifted : tensor<4x1xf32>
  %quotient = npu.div %distance, %root : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %one = npu.constant dense<1.0> : tensor<1xf32>
  %zero = npu.constant dense<0.0> : tensor<1xf32>
  %flat = npu.reshape %image : (tensor<1x8x2x2xf32>) -> tensor<1x1x32xf32>
  %norm = npu.instance_norm %flat, %one, %zero axis = 1 axes = [2] epsilon = 0.5
    : (tensor<1x1x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x32xf32>
  %back = npu.reshape %norm : (tensor<1x1x32xf32>) -> tensor<1x8x2x2xf32>
  func.return %quotient, %back : tensor<4x8xf32>, tensor<1x8x2x2xf32>
}

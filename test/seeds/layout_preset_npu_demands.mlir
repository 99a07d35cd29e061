// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-preset-npu="strategy=greedy" --layout-preset-npu="strategy=greedy" --split-input-file | filecheck %s
// Seed layout-preset-to-npu, hasLayoutDemand实现: each op that is named there, on an input in NCHW.

/// Conv
// CHECK-LABEL: func.func @conv(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.conv2d %x_1, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @conv(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %y = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// BPA
// CHECK-LABEL: func.func @bpa(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x16x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x16x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x16xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %y = npu.conv2d_bpa %x_1, %w_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<3x3x8x16xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @bpa(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x16x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>> {
  %y = npu.conv2d_bpa %x, %w pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x16x3x3xf32, #npu.layout<OIHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>>
  return %y : tensor<1x16x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// BPW: its result is a kernel.
// CHECK-LABEL: func.func @bpw(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %g: tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<16x8x3x3xf32, #npu.layout<OIHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %g_1 = npu.transpose %g permutation = [0, 2, 3, 1] : (tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x16xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.conv2d_bpw %x_1, %g_1 pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x16xf32, #npu.layout<NHWC>>) -> tensor<3x3x16x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [2, 3, 0, 1] : (tensor<3x3x16x8xf32, #npu.layout<HWOI>>) -> tensor<16x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<16x8x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  }
func.func @bpw(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %g: tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<16x8x3x3xf32, #npu.layout<OIHW>> {
  %y = npu.conv2d_bpw %x, %g pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x16x4x6xf32, #npu.layout<NCHW>>) -> tensor<16x8x3x3xf32, #npu.layout<OIHW>>
  return %y : tensor<16x8x3x3xf32, #npu.layout<OIHW>>
}

// -----

/// img2col. It is an op from CNN to Tensor too, but what it demands comes first, and its result is what it was.
// CHECK-LABEL: func.func @img2col(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.img2col %x_1 window = [3, 3] pads = [1, 1, 1, 1] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x24x72xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @img2col(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>> {
  %y = npu.img2col %x window = [3, 3] pads = [1, 1, 1, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x24x72xf32, #npu.layout<Tensor>>
  return %y : tensor<1x24x72xf32, #npu.layout<Tensor>>
}

// -----

/// unpool
// CHECK-LABEL: func.func @unpool(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.unpool %x_1 window = [2, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x8x12x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @unpool(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
  %y = npu.unpool %x window = [2, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
}

// -----

/// maskunpool
// CHECK-LABEL: func.func @mask_unpool(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %m: tensor<1x8x8x12xf32, #npu.layout<NCHW>>, %n: tensor<1x8x8x12xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %mask = npu.less %m, %n : (tensor<1x8x8x12xf32, #npu.layout<NCHW>>, tensor<1x8x8x12xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xi1, #npu.layout<NCHW>>
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %mask_1 = npu.transpose %mask permutation = [0, 2, 3, 1] : (tensor<1x8x8x12xi1, #npu.layout<NCHW>>) -> tensor<1x8x12x8xi1, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.mask_unpool %x_1, %mask_1 window = [2, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x8x12x8xi1, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x8x12x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @mask_unpool(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %m: tensor<1x8x8x12xf32, #npu.layout<NCHW>>, %n: tensor<1x8x8x12xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
  %mask = npu.less %m, %n : (tensor<1x8x8x12xf32, #npu.layout<NCHW>>, tensor<1x8x8x12xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xi1, #npu.layout<NCHW>>
  %y = npu.mask_unpool %x, %mask window = [2, 2] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x8x12xi1, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
}

// -----

/// mirror
// CHECK-LABEL: func.func @mirror(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.mirror %x_1 axes = [1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @mirror(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %y = npu.mirror %x axes = [2] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// rotate
// CHECK-LABEL: func.func @rotate(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.rotate %x_1 turns = 1 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x6x4x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x6x4x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @rotate(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>> {
  %y = npu.rotate %x turns = 1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x4xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x6x4xf32, #npu.layout<NCHW>>
}

// -----

/// nchw2nhwc demands NCHW and gets it. Its result is NHWC, on which there is no demand.
// CHECK-LABEL: func.func @nchw2nhwc(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %y = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @nchw2nhwc(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
  %y = npu.nchw2nhwc %x : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
}

// -----

/// nhwc2nchw demands NHWC and gets it.
// CHECK-LABEL: func.func @nhwc2nchw(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %y = npu.nhwc2nchw %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @nhwc2nchw(%x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %y = npu.nhwc2nchw %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// concat: all of its inputs, whose axis moves with them.
// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x2x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x10x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 2, 3, 1] : (tensor<1x2x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %z = npu.concat %x_1, %y_1 axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x10xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %z_1 = npu.transpose %z permutation = [0, 3, 1, 2] : (tensor<1x4x6x10xf32, #npu.layout<NHWC>>) -> tensor<1x10x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %z_1 : tensor<1x10x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @concat(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %y: tensor<1x2x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x10x4x6xf32, #npu.layout<NCHW>> {
  %z = npu.concat %x, %y axis = 1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x2x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x10x4x6xf32, #npu.layout<NCHW>>
  return %z : tensor<1x10x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// concat of weights: HWOI.
// CHECK-LABEL: func.func @concat_weights(
// CHECK-SAME:    %v: tensor<8x8x3x3xf32, #npu.layout<OIHW>>, %w: tensor<8x2x3x3xf32, #npu.layout<OIHW>>) -> tensor<8x10x3x3xf32, #npu.layout<OIHW>> {
// CHECK-NEXT:    %v_1 = npu.transpose %v permutation = [2, 3, 0, 1] : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %w_1 = npu.transpose %w permutation = [2, 3, 0, 1] : (tensor<8x2x3x3xf32, #npu.layout<OIHW>>) -> tensor<3x3x8x2xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %z = npu.concat %v_1, %w_1 axis = 3 : (tensor<3x3x8x8xf32, #npu.layout<HWOI>>, tensor<3x3x8x2xf32, #npu.layout<HWOI>>) -> tensor<3x3x8x10xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %z_1 = npu.transpose %z permutation = [2, 3, 0, 1] : (tensor<3x3x8x10xf32, #npu.layout<HWOI>>) -> tensor<8x10x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:    func.return %z_1 : tensor<8x10x3x3xf32, #npu.layout<OIHW>>
// CHECK-NEXT:  }
func.func @concat_weights(%v: tensor<8x8x3x3xf32, #npu.layout<OIHW>>, %w: tensor<8x2x3x3xf32, #npu.layout<OIHW>>) -> tensor<8x10x3x3xf32, #npu.layout<OIHW>> {
  %z = npu.concat %v, %w axis = 1 : (tensor<8x8x3x3xf32, #npu.layout<OIHW>>, tensor<8x2x3x3xf32, #npu.layout<OIHW>>) -> tensor<8x10x3x3xf32, #npu.layout<OIHW>>
  return %z : tensor<8x10x3x3xf32, #npu.layout<OIHW>>
}

// -----

/// concat of Tensors demands nothing.
// CHECK-LABEL: func.func @concat_tensors(
// CHECK-SAME:    %v: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x2x24xf32, #npu.layout<Tensor>>) -> tensor<1x10x24xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %z = npu.concat %v, %w axis = 1 : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x2x24xf32, #npu.layout<Tensor>>) -> tensor<1x10x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %z : tensor<1x10x24xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @concat_tensors(%v: tensor<1x8x24xf32, #npu.layout<Tensor>>, %w: tensor<1x2x24xf32, #npu.layout<Tensor>>) -> tensor<1x10x24xf32, #npu.layout<Tensor>> {
  %z = npu.concat %v, %w axis = 1 : (tensor<1x8x24xf32, #npu.layout<Tensor>>, tensor<1x2x24xf32, #npu.layout<Tensor>>) -> tensor<1x10x24xf32, #npu.layout<Tensor>>
  return %z : tensor<1x10x24xf32, #npu.layout<Tensor>>
}

// -----

/// pad
// CHECK-LABEL: func.func @pad(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.pad %x_1 low = [0, 1, 2, 0] high = [0, 3, 4, 0] mode = "edge" : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x8x12x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @pad(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
  %y = npu.pad %x low = [0, 0, 1, 2] high = [0, 0, 3, 4] mode = "edge" : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
}

// -----

/// tensornorm
// CHECK-LABEL: func.func @tensor_norm(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.tensor_norm %x_1 axes = [1, 2] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @tensor_norm(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
  %y = npu.tensor_norm %x axes = [2, 3] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
}

// -----

/// bilinear
// CHECK-LABEL: func.func @bilinear(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %x_1 = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.bilinear %x_1 sizes = [8, 12] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x12x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y_1 = npu.transpose %y permutation = [0, 3, 1, 2] : (tensor<1x8x12x8xf32, #npu.layout<NHWC>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y_1 : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @bilinear(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>> {
  %y = npu.bilinear %x sizes = [8, 12] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x8x12xf32, #npu.layout<NCHW>>
  return %y : tensor<1x8x8x12xf32, #npu.layout<NCHW>>
}

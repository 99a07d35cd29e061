// RUN: npu-opt %s --layout-transmit --split-input-file | filecheck %s
// RUN: npu-opt %s --layout-transmit --layout-transmit --split-input-file | filecheck %s

/// Letters follow their axes through a transpose, in the direction of data.
// CHECK-LABEL: func.func @down(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %t : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @down(%x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32> {
  %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32>
  return %t : tensor<1x4x6x8xf32>
}

// -----

/// Letters follow their axes through a transpose, against the direction of data.
// CHECK-LABEL: func.func @up(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.conv2d %t, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @up(%x: tensor<1x8x4x6xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32> {
  %t = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  %y = npu.conv2d %t, %w data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  return %y : tensor<1x4x6x8xf32>
}

// -----

/// If the layouts at both ends of a transpose are known, they are kept: a swap of H and W stays a swap.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME:    %x: tensor<1x8x6x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x6x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %t = npu.transpose %x permutation = [0, 1, 3, 2] : tensor<1x8x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %y = npu.conv2d %t, %w : (tensor<1x8x6x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<1x8x6x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @swap(%x: tensor<1x8x6x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x6x6xf32> {
  %t = npu.transpose %x permutation = [0, 1, 3, 2] : (tensor<1x8x6x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x6x6xf32>
  %y = npu.conv2d %t, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x6x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x6x6xf32>
  return %y : tensor<1x8x6x6xf32>
}

// -----

/// If the ends of a transpose are of two classes, its operand is relabelled to that of the result.
// CHECK-LABEL: func.func @classes(
// CHECK-SAME:    %x: tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x8x8x8xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x3x8x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %t = npu.transpose %0 permutation = [0, 2, 1, 3] : (tensor<2x3x8x8xf32, #npu.layout<NTensor>>) -> tensor<2x8x3x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %1 = npu.relabel %x : (tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x3x8x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %u = npu.transpose %1 permutation = [0, 2, 3, 1] : (tensor<2x3x8x8xf32, #npu.layout<NTensor>>) -> tensor<2x8x8x3xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %y = npu.matmul %u, %t : (tensor<2x8x8x3xf32, #npu.layout<NTensor>>, tensor<2x8x3x8xf32, #npu.layout<NTensor>>) -> tensor<2x8x8x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %y : tensor<2x8x8x8xf32, #npu.layout<NTensor>>
// CHECK-NEXT:  }
func.func @classes(%x: tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x8x8x8xf32> {
  %t = npu.transpose %x permutation = [0, 2, 1, 3] : (tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x8x3x8xf32>
  %u = npu.transpose %x permutation = [0, 2, 3, 1] : (tensor<2x3x8x8xf32, #npu.layout<NCHW>>) -> tensor<2x8x8x3xf32>
  %y = npu.matmul %u, %t : (tensor<2x8x8x3xf32>, tensor<2x8x3x8xf32>) -> tensor<2x8x8x8xf32>
  return %y : tensor<2x8x8x8xf32>
}

// -----

/// A transpose of axes without letters gives axes without letters, never a re-ordered Tensor.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME:    %x: tensor<2x3xf32, #npu.layout<Tensor>>, %y: tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> (tensor<3x2xf32, #npu.layout<Tensor>>, tensor<3x2xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %t = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32, #npu.layout<Tensor>>) -> tensor<3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %u = npu.transpose %y permutation = [1, 0] : (tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %t, %u : tensor<3x2xf32, #npu.layout<Tensor>>, tensor<3x2xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @plain(%x: tensor<2x3xf32>, %y: tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %t = npu.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %u = npu.transpose %y permutation = [1, 0] : (tensor<2x3xf32, #npu.layout<Tensor, [1, 0]>>) -> tensor<3x2xf32>
  return %t, %u : tensor<3x2xf32>, tensor<3x2xf32>
}

// -----

/// Before a reshape a feature that is not in the order of its letters is relabelled to Tensor, so the stored bytes are meant.
// CHECK-LABEL: func.func @flatten_nhwc(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.reshape %0 : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @flatten_nhwc(%x: tensor<1x4x6x8xf32>) -> tensor<1x192xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %y = npu.reshape %p : (tensor<1x4x6x8xf32>) -> tensor<1x192xf32>
  return %y : tensor<1x192xf32>
}

// -----

/// Before a reshape a feature in the order of its letters needs no relabel.
// CHECK-LABEL: func.func @flatten_nchw(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %y = npu.reshape %p : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x192xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @flatten_nchw(%x: tensor<1x8x4x6xf32>) -> tensor<1x192xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %y = npu.reshape %p : (tensor<1x8x4x6xf32>) -> tensor<1x192xf32>
  return %y : tensor<1x192xf32>
}

// -----

/// Before a reshape a kernel that is not in the order of its letters is relabelled as well.
// CHECK-LABEL: func.func @flatten_kernel(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<64xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %k = npu.abs %w : tensor<1x1x8x8xf32, #npu.layout<HWOI>>
// CHECK-NEXT:    %y = npu.conv2d %x, %k : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %k : (tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x1x8x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %f = npu.reshape %0 : (tensor<1x1x8x8xf32, #npu.layout<Tensor>>) -> tensor<64xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y, %f : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<64xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @flatten_kernel(%x: tensor<1x4x6x8xf32>, %w: tensor<1x1x8x8xf32>) -> (tensor<1x4x6x8xf32>, tensor<64xf32>) {
  %k = npu.abs %w : tensor<1x1x8x8xf32>
  %y = npu.conv2d %x, %k data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  %f = npu.reshape %k : (tensor<1x1x8x8xf32>) -> tensor<64xf32>
  return %y, %f : tensor<1x4x6x8xf32>, tensor<64xf32>
}

// -----

/// A reshape gives what its user needs where that is in identity order; another order is read through a relabel.
// CHECK-LABEL: func.func @into_conv(
// CHECK-SAME:    %x: tensor<1x192xf32, #npu.layout<Tensor>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %v: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>) {
// CHECK-NEXT:    %a = npu.reshape %x : (tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.conv2d %a, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.reshape %x : (tensor<1x192xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %0 = npu.relabel %b : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %d = npu.conv2d %0, %v : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %c, %d : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @into_conv(%x: tensor<1x192xf32>, %w: tensor<8x8x1x1xf32>, %v: tensor<1x1x8x8xf32>) -> (tensor<1x8x4x6xf32>, tensor<1x4x6x8xf32>) {
  %a = npu.reshape %x : (tensor<1x192xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.conv2d %a, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %b = npu.reshape %x : (tensor<1x192xf32>) -> tensor<1x4x6x8xf32>
  %d = npu.conv2d %b, %v data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  return %c, %d : tensor<1x8x4x6xf32>, tensor<1x4x6x8xf32>
}

// -----

/// A reshape that leaves all axes unchanged passes on the class of its operand; one that only keeps the rank does not.
// CHECK-LABEL: func.func @same_axes(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24x1xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.reshape %p : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.reshape %p : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x24x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %b : tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x24x1xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @same_axes(%x: tensor<1x8x4x6xf32>) -> (tensor<1x8x4x6xf32>, tensor<1x8x24x1xf32>) {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %a = npu.reshape %p : tensor<1x8x4x6xf32>
  %b = npu.reshape %p : (tensor<1x8x4x6xf32>) -> tensor<1x8x24x1xf32>
  return %a, %b : tensor<1x8x4x6xf32>, tensor<1x8x24x1xf32>
}

// -----

/// A reshape states which dynamic size is which.
// CHECK-LABEL: func.func @dynamic_axes(
// CHECK-SAME:    %x: tensor<?x8x?x6xf32, #npu.layout<NCHW>>) -> (tensor<?x8x?x6xf32, #npu.layout<NCHW>>, tensor<?x8x?x6xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<?x8x?x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %a = npu.reshape %p dims = [@in0, 8, @in2, 6] : tensor<?x8x?x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %b = npu.reshape %p dims = [@in2, 8, @in0, 6] : (tensor<?x8x?x6xf32, #npu.layout<NCHW>>) -> tensor<?x8x?x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %b : tensor<?x8x?x6xf32, #npu.layout<NCHW>>, tensor<?x8x?x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @dynamic_axes(%x: tensor<?x8x?x6xf32>) -> (tensor<?x8x?x6xf32>, tensor<?x8x?x6xf32>) {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<?x8x?x6xf32>
  %a = npu.reshape %p dims = [@in0, 8, @in2, 6] : tensor<?x8x?x6xf32>
  %b = npu.reshape %p dims = [@in2, 8, @in0, 6] : tensor<?x8x?x6xf32>
  return %a, %b : tensor<?x8x?x6xf32>, tensor<?x8x?x6xf32>
}

// -----

/// A reduction that keeps its axes hands layouts on, both ways.
// CHECK-LABEL: func.func @keep(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %m = npu.reduce_mean %x axes = [1, 2] keep : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.conv2d %m, %w : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<1x1x1x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @keep(%x: tensor<1x4x6x8xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<1x1x1x8xf32> {
  %m = npu.reduce_mean %x axes = [1, 2] keep : (tensor<1x4x6x8xf32>) -> tensor<1x1x1x8xf32>
  %y = npu.conv2d %m, %w data_layout = <NHWC> kernel_layout = <HWOI> : (tensor<1x1x1x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x1x1x8xf32>
  return %y : tensor<1x1x1x8xf32>
}

// -----

/// A reduction that drops axes reads letters as they are if the remaining axes keep their order; otherwise a relabel drops the letters before it.
// CHECK-LABEL: func.func @drop(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x8xf32, #npu.layout<Tensor>>, tensor<1x6x8xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %a = npu.reduce_mean %p axes = [1, 2] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.reduce_mean %0 axes = [1] : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %a, %b : tensor<1x8xf32, #npu.layout<Tensor>>, tensor<1x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @drop(%x: tensor<1x4x6x8xf32>) -> (tensor<1x8xf32>, tensor<1x6x8xf32>) {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %a = npu.reduce_mean %p axes = [1, 2] : (tensor<1x4x6x8xf32>) -> tensor<1x8xf32>
  %b = npu.reduce_mean %p axes = [1] : (tensor<1x4x6x8xf32>) -> tensor<1x6x8xf32>
  return %a, %b : tensor<1x8xf32>, tensor<1x6x8xf32>
}

// -----

/// A typed argument that is re-ordered is relabelled before an op that drops axes.
// CHECK-LABEL: func.func @drop_reordered(
// CHECK-SAME:    %x: tensor<2x3x4xf32, #npu.layout<Tensor, [1, 0, 2]>>) -> tensor<2x3xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<2x3x4xf32, #npu.layout<Tensor, [1, 0, 2]>>) -> tensor<2x3x4xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %m = npu.reduce_mean %0 axes = [2] : (tensor<2x3x4xf32, #npu.layout<Tensor>>) -> tensor<2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %m : tensor<2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @drop_reordered(%x: tensor<2x3x4xf32, #npu.layout<Tensor, [1, 0, 2]>>) -> tensor<2x3xf32> {
  %m = npu.reduce_mean %x axes = [2] : (tensor<2x3x4xf32, #npu.layout<Tensor, [1, 0, 2]>>) -> tensor<2x3xf32>
  return %m : tensor<2x3xf32>
}

// -----

/// A gather by a vector hands layouts on, both ways; by other indices its result has no letters.
// CHECK-LABEL: func.func @gather(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %i: tensor<4xi64, #npu.layout<Tensor>>, %j: tensor<i64, #npu.layout<Tensor>>) -> (tensor<1x4x6x4xf32, #npu.layout<NHWC>>, tensor<1x4x8xf32, #npu.layout<Tensor>>, tensor<1x4x6xf32, #npu.layout<Tensor>>) {
// CHECK-NEXT:    %a = npu.gather %x, %i axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<4xi64, #npu.layout<Tensor>>) -> tensor<1x4x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %p = npu.max_pool %a window = [1, 1] : tensor<1x4x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %x : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %b = npu.gather %0, %j axis = 2 : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>, tensor<i64, #npu.layout<Tensor>>) -> tensor<1x4x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    %c = npu.gather %x, %j axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<i64, #npu.layout<Tensor>>) -> tensor<1x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %p, %b, %c : tensor<1x4x6x4xf32, #npu.layout<NHWC>>, tensor<1x4x8xf32, #npu.layout<Tensor>>, tensor<1x4x6xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @gather(%x: tensor<1x4x6x8xf32>, %i: tensor<4xi64>, %j: tensor<i64>) -> (tensor<1x4x6x4xf32>, tensor<1x4x8xf32>, tensor<1x4x6xf32>) {
  %a = npu.gather %x, %i axis = 3 : (tensor<1x4x6x8xf32>, tensor<4xi64>) -> tensor<1x4x6x4xf32>
  %p = npu.max_pool %a window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x4xf32>
  %b = npu.gather %x, %j axis = 2 : (tensor<1x4x6x8xf32>, tensor<i64>) -> tensor<1x4x8xf32>
  %c = npu.gather %x, %j axis = 3 : (tensor<1x4x6x8xf32>, tensor<i64>) -> tensor<1x4x6xf32>
  return %p, %b, %c : tensor<1x4x6x4xf32>, tensor<1x4x8xf32>, tensor<1x4x6xf32>
}

// -----

/// Indices with letters in another order than that of their names are relabelled.
// CHECK-LABEL: func.func @indices(
// CHECK-SAME:    %x: tensor<2x5xf32, #npu.layout<Tensor>>, %i: tensor<1x2x2x3xi64, #npu.layout<NHWC>>) -> tensor<2x1x2x2x3xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %p = npu.max_pool %i window = [1, 1] : tensor<1x2x2x3xi64, #npu.layout<NHWC>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<1x2x2x3xi64, #npu.layout<NHWC>>) -> tensor<1x2x2x3xi64, #npu.layout<Tensor>>
// CHECK-NEXT:    %y = npu.gather %x, %0 axis = 1 : (tensor<2x5xf32, #npu.layout<Tensor>>, tensor<1x2x2x3xi64, #npu.layout<Tensor>>) -> tensor<2x1x2x2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<2x1x2x2x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @indices(%x: tensor<2x5xf32>, %i: tensor<1x2x2x3xi64>) -> tensor<2x1x2x2x3xf32> {
  %p = npu.max_pool %i window = [1, 1] data_layout = <NHWC> : tensor<1x2x2x3xi64>
  %y = npu.gather %x, %p axis = 1 : (tensor<2x5xf32>, tensor<1x2x2x3xi64>) -> tensor<2x1x2x2x3xf32>
  return %y : tensor<2x1x2x2x3xf32>
}

// -----

/// A broadcast of unit axes only passes letters on; one with new axes takes what its user needs.
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:    %x: tensor<1x1x1x8xf32, #npu.layout<NHWC>>, %b: tensor<8xf32, #npu.layout<Tensor>>, %s: tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// CHECK-NEXT:    %a = npu.broadcast %x axes = [0, 1, 2, 3] : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %p = npu.max_pool %s window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %c = npu.broadcast %b axes = [1] : (tensor<8xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %y = npu.add %p, %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %z = npu.max_pool %y window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %a, %z : tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @broadcast(%x: tensor<1x1x1x8xf32, #npu.layout<NHWC>>, %b: tensor<8xf32>, %s: tensor<1x8x4x6xf32>) -> (tensor<1x4x6x8xf32>, tensor<1x8x4x6xf32>) {
  %a = npu.broadcast %x axes = [0, 1, 2, 3] : (tensor<1x1x1x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32>
  %p = npu.max_pool %s window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %c = npu.broadcast %b axes = [1] : (tensor<8xf32>) -> tensor<1x8x4x6xf32>
  %y = npu.add %p, %c : tensor<1x8x4x6xf32>
  %z = npu.max_pool %y window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  return %a, %z : tensor<1x4x6x8xf32>, tensor<1x8x4x6xf32>
}

// -----

/// All results of a split share the layout of its operand, and all users of all of them have a voice.
// CHECK-LABEL: func.func @split(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x2xf32, #npu.layout<NCHW>>, tensor<1x4x6x2xf32, #npu.layout<NHWC>>, tensor<1x4x6x4xf32, #npu.layout<NHWC>>) {
// CHECK-NEXT:    %a, %b, %c = npu.split %x axis = 3 sizes = [2, 2, 4] : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> (tensor<1x4x6x2xf32, #npu.layout<NHWC>>, tensor<1x4x6x2xf32, #npu.layout<NHWC>>, tensor<1x4x6x4xf32, #npu.layout<NHWC>>)
// CHECK-NEXT:    %0 = npu.relabel %a : (tensor<1x4x6x2xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %p = npu.max_pool %0 window = [1, 1] : tensor<1x4x6x2xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %q = npu.max_pool %b window = [1, 1] : tensor<1x4x6x2xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %r = npu.max_pool %c window = [1, 1] : tensor<1x4x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %p, %q, %r : tensor<1x4x6x2xf32, #npu.layout<NCHW>>, tensor<1x4x6x2xf32, #npu.layout<NHWC>>, tensor<1x4x6x4xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @split(%x: tensor<1x4x6x8xf32>) -> (tensor<1x4x6x2xf32>, tensor<1x4x6x2xf32>, tensor<1x4x6x4xf32>) {
  %a, %b, %c = npu.split %x axis = 3 sizes = [2, 2, 4] : (tensor<1x4x6x8xf32>) -> (tensor<1x4x6x2xf32>, tensor<1x4x6x2xf32>, tensor<1x4x6x4xf32>)
  %p = npu.max_pool %a window = [1, 1] data_layout = <NCHW> : tensor<1x4x6x2xf32>
  %q = npu.max_pool %b window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x2xf32>
  %r = npu.max_pool %c window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x4xf32>
  return %p, %q, %r : tensor<1x4x6x2xf32>, tensor<1x4x6x2xf32>, tensor<1x4x6x4xf32>
}

// -----

/// The operands of a concat share one layout; one of another class is relabelled.
// CHECK-LABEL: func.func @concat(
// CHECK-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %m: tensor<1x8x4x6xf32, #npu.layout<NTensor>>, %t: tensor<1x8x6x6xf32, #npu.layout<NTensor>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %q = npu.matmul %m, %t : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %0 = npu.relabel %q : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %y = npu.concat %p, %0 axis = 1 : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    func.return %y : tensor<1x16x4x6xf32, #npu.layout<NCHW>>
// CHECK-NEXT:  }
func.func @concat(%x: tensor<1x8x4x6xf32>, %m: tensor<1x8x4x6xf32>, %t: tensor<1x8x6x6xf32>) -> tensor<1x16x4x6xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %q = npu.matmul %m, %t : (tensor<1x8x4x6xf32>, tensor<1x8x6x6xf32>) -> tensor<1x8x4x6xf32>
  %y = npu.concat %p, %q axis = 1 : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32>
  return %y : tensor<1x16x4x6xf32>
}

// -----

/// A relabel of the program states that its two sides differ: no layout is propagated through it, and it is kept.
// CHECK-LABEL: func.func @relabel(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.relabel %p : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @relabel(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %y = npu.relabel %p : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32, #npu.layout<Tensor>>
  return %y : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
}

// -----

/// A matrix product whose result is typed reads its operands alike.
// CHECK-LABEL: func.func @typed_product(
// CHECK-SAME:    %a: tensor<2x3x4xf32, #npu.layout<Tensor>>, %b: tensor<2x4x3xf32, #npu.layout<Tensor>>) -> tensor<2x3x3xf32, #npu.layout<Tensor>> {
// CHECK-NEXT:    %p = npu.matmul %a, %b : (tensor<2x3x4xf32, #npu.layout<Tensor>>, tensor<2x4x3xf32, #npu.layout<Tensor>>) -> tensor<2x3x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:    func.return %p : tensor<2x3x3xf32, #npu.layout<Tensor>>
// CHECK-NEXT:  }
func.func @typed_product(%a: tensor<2x3x4xf32>, %b: tensor<2x4x3xf32>) -> tensor<2x3x3xf32, #npu.layout<Tensor>> {
  %p = npu.matmul %a, %b : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32, #npu.layout<Tensor>>
  return %p : tensor<2x3x3xf32, #npu.layout<Tensor>>
}

// -----

/// Axes of a norm stay where they are: attributes name stored axes, and nothing is moved.
// CHECK-LABEL: func.func @norm(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %y = npu.softmax %p axis = 3 : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:  }
func.func @norm(%x: tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %y = npu.softmax %p axis = 3 : tensor<1x4x6x8xf32>
  return %y : tensor<1x4x6x8xf32>
}

// -----

/// An op that drops axes needs no relabel if the remaining axes keep their order, though its user expects another class.
// CHECK-LABEL: func.func @left_as_matrices(
// CHECK-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<NHWC>>, %j: tensor<i64, #npu.layout<Tensor>>, %m: tensor<1x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x4x5xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// CHECK-NEXT:    %c = npu.gather %p, %j axis = 3 : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<i64, #npu.layout<Tensor>>) -> tensor<1x4x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %y = npu.matmul %c, %m : (tensor<1x4x6xf32, #npu.layout<NTensor>>, tensor<1x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x4x5xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %y : tensor<1x4x5xf32, #npu.layout<NTensor>>
// CHECK-NEXT:  }
func.func @left_as_matrices(%x: tensor<1x4x6x8xf32>, %j: tensor<i64>, %m: tensor<1x6x5xf32>) -> tensor<1x4x5xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NHWC> : tensor<1x4x6x8xf32>
  %c = npu.gather %p, %j axis = 3 : (tensor<1x4x6x8xf32>, tensor<i64>) -> tensor<1x4x6xf32>
  %y = npu.matmul %c, %m : (tensor<1x4x6xf32>, tensor<1x6x5xf32>) -> tensor<1x4x5xf32>
  return %y : tensor<1x4x5xf32>
}

// -----

/// A broadcast of unit axes whose user expects another class reads its operand in that class.
// CHECK-LABEL: func.func @broadcast_matrices(
// CHECK-SAME:    %x: tensor<1x8x1x1xf32, #npu.layout<NCHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// CHECK-NEXT:    %p = npu.max_pool %x window = [1, 1] : tensor<1x8x1x1xf32, #npu.layout<NCHW>>
// CHECK-NEXT:    %0 = npu.relabel %p : (tensor<1x8x1x1xf32, #npu.layout<NCHW>>) -> tensor<1x8x1x1xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %b = npu.broadcast %0 axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    %y = npu.matmul %b, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// CHECK-NEXT:    func.return %y : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// CHECK-NEXT:  }
func.func @broadcast_matrices(%x: tensor<1x8x1x1xf32>, %m: tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32> {
  %p = npu.max_pool %x window = [1, 1] data_layout = <NCHW> : tensor<1x8x1x1xf32>
  %b = npu.broadcast %p axes = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %y = npu.matmul %b, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  return %y : tensor<1x8x4x5xf32>
}

// RUN: npu-opt %s --layout-transmit="resolve=forward" --split-input-file | filecheck %s --check-prefix FORWARD
// RUN: npu-opt %s --layout-transmit="resolve=next" --split-input-file | filecheck %s --check-prefix FOLLOWING
// RUN: npu-opt %s --layout-transmit="resolve=previous" --split-input-file | filecheck %s --check-prefix PREVIOUS
// RUN: npu-opt %s --layout-transmit="resolve=nearest" --split-input-file | filecheck %s --check-prefix NEAREST
// RUN: npu-opt %s --layout-transmit="resolve=nearest" --layout-transmit="resolve=nearest" --split-input-file | filecheck %s --check-prefix NEAREST

/// Conv, Reshape, x, x, Reshape, Gemm. Gemm does not determine the layout before its reshape.
// FORWARD-LABEL: func.func @chain(
// FORWARD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// FORWARD-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %b = npu.relu %a : tensor<1x4x8x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %c = npu.abs %b : tensor<1x4x8x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %d = npu.reshape %c : (tensor<1x4x8x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    func.return %gemm : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @chain(
// FOLLOWING-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// FOLLOWING-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %b = npu.relu %a : tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %c = npu.abs %b : tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %d = npu.reshape %c : (tensor<1x4x8x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    func.return %gemm : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @chain(
// PREVIOUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// PREVIOUS-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %b = npu.relu %a : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %c = npu.abs %b : tensor<1x4x8x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %d = npu.reshape %c : (tensor<1x4x8x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    func.return %gemm : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @chain(
// NEAREST-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// NEAREST-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %a = npu.reshape %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %b = npu.relu %a : tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %c = npu.abs %b : tensor<1x4x8x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %d = npu.reshape %c : (tensor<1x4x8x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    func.return %gemm : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:  }
func.func @chain(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %m: tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32> {
  %conv = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %a = npu.reshape %conv : (tensor<1x8x4x6xf32>) -> tensor<1x4x8x6xf32>
  %b = npu.relu %a : tensor<1x4x8x6xf32>
  %c = npu.abs %b : tensor<1x4x8x6xf32>
  %d = npu.reshape %c : (tensor<1x4x8x6xf32>) -> tensor<1x8x4x6xf32>
  %gemm = npu.gemm %d, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  return %gemm : tensor<1x8x4x5xf32>
}

// -----

/// The same with one op more before the second reshape than behind it, and the other way round: the nearest known op differs.
// FORWARD-LABEL: func.func @nearest(
// FORWARD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x5xf32, #npu.layout<NTensor>>) {
// FORWARD-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %a = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %c = npu.abs %b : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %d = npu.exp %c : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %p = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %e = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %f = npu.exp %e : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %g = npu.reshape %f : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %h = npu.abs %g : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %q = npu.gemm %h, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    func.return %p, %q : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @nearest(
// FOLLOWING-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x5xf32, #npu.layout<NTensor>>) {
// FOLLOWING-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    %0 = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %a = npu.relu %0 : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %b = npu.reshape %a : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %c = npu.abs %b : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %d = npu.exp %c : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %p = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %1 = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %e = npu.relu %1 : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %f = npu.exp %e : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %g = npu.reshape %f : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %h = npu.abs %g : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %q = npu.gemm %h, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    func.return %p, %q : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @nearest(
// PREVIOUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x5xf32, #npu.layout<NTensor>>) {
// PREVIOUS-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %a = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %c = npu.abs %b : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %d = npu.exp %c : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %p = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %e = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %f = npu.exp %e : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %g = npu.reshape %f : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %h = npu.abs %g : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %q = npu.gemm %h, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    func.return %p, %q : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @nearest(
// NEAREST-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x5xf32, #npu.layout<NTensor>>) {
// NEAREST-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %a = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %c = npu.abs %b : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %d = npu.exp %c : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %p = npu.gemm %d, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %0 = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %e = npu.relu %0 : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %f = npu.exp %e : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %g = npu.reshape %f : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %h = npu.abs %g : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %q = npu.gemm %h, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    func.return %p, %q : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:  }
func.func @nearest(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %m: tensor<1x8x6x5xf32>) -> (tensor<1x8x4x5xf32>, tensor<1x8x4x5xf32>) {
  %conv = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %a = npu.relu %conv : tensor<1x8x4x6xf32>
  %b = npu.reshape %a : tensor<1x8x4x6xf32>
  %c = npu.abs %b : tensor<1x8x4x6xf32>
  %d = npu.exp %c : tensor<1x8x4x6xf32>
  %p = npu.gemm %d, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  %e = npu.relu %conv : tensor<1x8x4x6xf32>
  %f = npu.exp %e : tensor<1x8x4x6xf32>
  %g = npu.reshape %f : tensor<1x8x4x6xf32>
  %h = npu.abs %g : tensor<1x8x4x6xf32>
  %q = npu.gemm %h, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  return %p, %q : tensor<1x8x4x5xf32>, tensor<1x8x4x5xf32>
}

// -----

/// Of two known ops that are as near, the previous one counts.
// FORWARD-LABEL: func.func @tie(
// FORWARD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// FORWARD-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %a = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %c = npu.abs %b : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    func.return %p : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @tie(
// FOLLOWING-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// FOLLOWING-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    %0 = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %a = npu.relu %0 : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %b = npu.reshape %a : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %c = npu.abs %b : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    func.return %p : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @tie(
// PREVIOUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// PREVIOUS-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %a = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %c = npu.abs %b : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    func.return %p : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @tie(
// NEAREST-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %w: tensor<8x8x1x1xf32, #npu.layout<OIHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>> {
// NEAREST-NEXT:    %conv = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %a = npu.relu %conv : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %c = npu.abs %b : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    func.return %p : tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:  }
func.func @tie(%x: tensor<1x8x4x6xf32>, %w: tensor<8x8x1x1xf32>, %m: tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32> {
  %conv = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %a = npu.relu %conv : tensor<1x8x4x6xf32>
  %b = npu.reshape %a : tensor<1x8x4x6xf32>
  %c = npu.abs %b : tensor<1x8x4x6xf32>
  %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  return %p : tensor<1x8x4x5xf32>
}

// -----

/// Of two that are as near on one side, the first user counts. The colour travels on upward from the reshape.
// FORWARD-LABEL: func.func @first(
// FORWARD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<Tensor>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// FORWARD-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %c = npu.reshape %b : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %0 = npu.relabel %c : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %q = npu.max_pool %0 window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    func.return %p, %q : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @first(
// FOLLOWING-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NTensor>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// FOLLOWING-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// FOLLOWING-NEXT:    %c = npu.reshape %b : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %0 = npu.relabel %c : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    %q = npu.max_pool %0 window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    func.return %p, %q : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @first(
// PREVIOUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NTensor>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// PREVIOUS-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// PREVIOUS-NEXT:    %c = npu.reshape %b : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %0 = npu.relabel %c : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %q = npu.max_pool %0 window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    func.return %p, %q : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @first(
// NEAREST-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NTensor>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// NEAREST-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %b = npu.reshape %a : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>) -> tensor<8x24xf32, #npu.layout<Tensor>>
// NEAREST-NEXT:    %c = npu.reshape %b : (tensor<8x24xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %0 = npu.relabel %c : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %q = npu.max_pool %0 window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    func.return %p, %q : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:  }
func.func @first(%x: tensor<1x8x4x6xf32>, %m: tensor<1x8x6x5xf32>) -> (tensor<1x8x4x5xf32>, tensor<1x8x4x6xf32>) {
  %a = npu.relu %x : tensor<1x8x4x6xf32>
  %b = npu.reshape %a : (tensor<1x8x4x6xf32>) -> tensor<8x24xf32>
  %c = npu.reshape %b : (tensor<8x24xf32>) -> tensor<1x8x4x6xf32>
  %p = npu.gemm %c, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  %q = npu.max_pool %c window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  return %p, %q : tensor<1x8x4x5xf32>, tensor<1x8x4x6xf32>
}

// -----

/// A known op counts with the layout of the value by which it is reached: a kernel is of class Weight.
// FORWARD-LABEL: func.func @kernel(
// FORWARD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %k: tensor<8x8x1x1xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// FORWARD-NEXT:    %r = npu.reshape %k : (tensor<8x8x1x1xf32, #npu.layout<Tensor>>) -> tensor<64xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %w = npu.reshape %r : (tensor<64xf32, #npu.layout<Tensor>>) -> tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// FORWARD-NEXT:    %y = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    func.return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @kernel(
// FOLLOWING-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %k: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// FOLLOWING-NEXT:    %r = npu.reshape %k : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<64xf32, #npu.layout<Tensor>>
// FOLLOWING-NEXT:    %w = npu.reshape %r : (tensor<64xf32, #npu.layout<Tensor>>) -> tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// FOLLOWING-NEXT:    %y = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    func.return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @kernel(
// PREVIOUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %k: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// PREVIOUS-NEXT:    %r = npu.reshape %k : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<64xf32, #npu.layout<Tensor>>
// PREVIOUS-NEXT:    %w = npu.reshape %r : (tensor<64xf32, #npu.layout<Tensor>>) -> tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// PREVIOUS-NEXT:    %y = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    func.return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @kernel(
// NEAREST-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %k: tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>> {
// NEAREST-NEXT:    %r = npu.reshape %k : (tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<64xf32, #npu.layout<Tensor>>
// NEAREST-NEXT:    %w = npu.reshape %r : (tensor<64xf32, #npu.layout<Tensor>>) -> tensor<8x8x1x1xf32, #npu.layout<OIHW>>
// NEAREST-NEXT:    %y = npu.conv2d %x, %w : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>, tensor<8x8x1x1xf32, #npu.layout<OIHW>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    func.return %y : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:  }
func.func @kernel(%x: tensor<1x8x4x6xf32>, %k: tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32> {
  %r = npu.reshape %k : (tensor<8x8x1x1xf32>) -> tensor<64xf32>
  %w = npu.reshape %r : (tensor<64xf32>) -> tensor<8x8x1x1xf32>
  %y = npu.conv2d %x, %w data_layout = <NCHW> kernel_layout = <OIHW> : (tensor<1x8x4x6xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  return %y : tensor<1x8x4x6xf32>
}

// -----

/// Without a known op on the side that is asked for, the other side counts; an opaque op is not a known one.
// FORWARD-LABEL: func.func @one_side(
// FORWARD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<Tensor>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>) {
// FORWARD-NEXT:    %a = npu.reshape %x : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %p = npu.gemm %a, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FORWARD-NEXT:    %conv = npu.max_pool %y window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FORWARD-NEXT:    %0 = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %b = npu.opaque "vendor.b"(%0) : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %c = npu.relu %b : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %d = npu.reshape %c : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    func.return %p, %d : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @one_side(
// FOLLOWING-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NTensor>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// FOLLOWING-NEXT:    %a = npu.reshape %x : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %p = npu.gemm %a, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// FOLLOWING-NEXT:    %conv = npu.max_pool %y window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    %0 = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FOLLOWING-NEXT:    %b = npu.opaque "vendor.b"(%0) : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FOLLOWING-NEXT:    %1 = npu.relabel %b : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    %c = npu.relu %1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    %d = npu.reshape %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:    func.return %p, %d : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @one_side(
// PREVIOUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NTensor>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// PREVIOUS-NEXT:    %a = npu.reshape %x : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %p = npu.gemm %a, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// PREVIOUS-NEXT:    %conv = npu.max_pool %y window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %0 = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// PREVIOUS-NEXT:    %b = npu.opaque "vendor.b"(%0) : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// PREVIOUS-NEXT:    %1 = npu.relabel %b : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %c = npu.relu %1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    %d = npu.reshape %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:    func.return %p, %d : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @one_side(
// NEAREST-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<NTensor>>, %y: tensor<1x8x4x6xf32, #npu.layout<NCHW>>, %m: tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> (tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>) {
// NEAREST-NEXT:    %a = npu.reshape %x : tensor<1x8x4x6xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %p = npu.gemm %a, %m : (tensor<1x8x4x6xf32, #npu.layout<NTensor>>, tensor<1x8x6x5xf32, #npu.layout<NTensor>>) -> tensor<1x8x4x5xf32, #npu.layout<NTensor>>
// NEAREST-NEXT:    %conv = npu.max_pool %y window = [1, 1] : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %0 = npu.relabel %conv : (tensor<1x8x4x6xf32, #npu.layout<NCHW>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// NEAREST-NEXT:    %b = npu.opaque "vendor.b"(%0) : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// NEAREST-NEXT:    %1 = npu.relabel %b : (tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %c = npu.relu %1 : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    %d = npu.reshape %c : tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:    func.return %p, %d : tensor<1x8x4x5xf32, #npu.layout<NTensor>>, tensor<1x8x4x6xf32, #npu.layout<NCHW>>
// NEAREST-NEXT:  }
func.func @one_side(%x: tensor<1x8x4x6xf32>, %y: tensor<1x8x4x6xf32>, %m: tensor<1x8x6x5xf32>) -> (tensor<1x8x4x5xf32>, tensor<1x8x4x6xf32>) {
  %a = npu.reshape %x : tensor<1x8x4x6xf32>
  %p = npu.gemm %a, %m : (tensor<1x8x4x6xf32>, tensor<1x8x6x5xf32>) -> tensor<1x8x4x5xf32>
  %conv = npu.max_pool %y window = [1, 1] data_layout = <NCHW> : tensor<1x8x4x6xf32>
  %b = npu.opaque "vendor.b"(%conv) : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  %c = npu.relu %b : tensor<1x8x4x6xf32>
  %d = npu.reshape %c : tensor<1x8x4x6xf32>
  return %p, %d : tensor<1x8x4x5xf32>, tensor<1x8x4x6xf32>
}

// -----

/// Without known layouts nothing is determined.
// FORWARD-LABEL: func.func @none(
// FORWARD-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>> {
// FORWARD-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %b = npu.reshape %a : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    func.return %b : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @none(
// FOLLOWING-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>> {
// FOLLOWING-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FOLLOWING-NEXT:    %b = npu.reshape %a : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FOLLOWING-NEXT:    func.return %b : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @none(
// PREVIOUS-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>> {
// PREVIOUS-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// PREVIOUS-NEXT:    %b = npu.reshape %a : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// PREVIOUS-NEXT:    func.return %b : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @none(
// NEAREST-SAME:    %x: tensor<1x8x4x6xf32, #npu.layout<Tensor>>) -> tensor<1x8x4x6xf32, #npu.layout<Tensor>> {
// NEAREST-NEXT:    %a = npu.relu %x : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// NEAREST-NEXT:    %b = npu.reshape %a : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// NEAREST-NEXT:    func.return %b : tensor<1x8x4x6xf32, #npu.layout<Tensor>>
// NEAREST-NEXT:  }
func.func @none(%x: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %a = npu.relu %x : tensor<1x8x4x6xf32>
  %b = npu.reshape %a : tensor<1x8x4x6xf32>
  return %b : tensor<1x8x4x6xf32>
}

// -----

/// No layout is propagated through a relabel of the program, which states that its two sides differ.
// FORWARD-LABEL: func.func @relabel(
// FORWARD-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// FORWARD-NEXT:    %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// FORWARD-NEXT:    %b = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// FORWARD-NEXT:    %y = npu.conv2d %b, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// FORWARD-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// FORWARD-NEXT:  }
// FOLLOWING-LABEL: func.func @relabel(
// FOLLOWING-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// FOLLOWING-NEXT:    %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// FOLLOWING-NEXT:    %b = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// FOLLOWING-NEXT:    %y = npu.conv2d %b, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// FOLLOWING-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// FOLLOWING-NEXT:  }
// PREVIOUS-LABEL: func.func @relabel(
// PREVIOUS-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// PREVIOUS-NEXT:    %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// PREVIOUS-NEXT:    %b = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PREVIOUS-NEXT:    %y = npu.conv2d %b, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PREVIOUS-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// PREVIOUS-NEXT:  }
// NEAREST-LABEL: func.func @relabel(
// NEAREST-SAME:    %x: tensor<1x4x6x8xf32, #npu.layout<Tensor>>, %w: tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>> {
// NEAREST-NEXT:    %a = npu.relu %x : tensor<1x4x6x8xf32, #npu.layout<Tensor>>
// NEAREST-NEXT:    %b = npu.relabel %a : (tensor<1x4x6x8xf32, #npu.layout<Tensor>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NEAREST-NEXT:    %y = npu.conv2d %b, %w : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32, #npu.layout<HWOI>>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NEAREST-NEXT:    func.return %y : tensor<1x4x6x8xf32, #npu.layout<NHWC>>
// NEAREST-NEXT:  }
func.func @relabel(%x: tensor<1x4x6x8xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32> {
  %a = npu.relu %x : tensor<1x4x6x8xf32>
  %b = npu.relabel %a : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32, #npu.layout<NHWC>>
  %y = npu.conv2d %b, %w kernel_layout = <HWOI> : (tensor<1x4x6x8xf32, #npu.layout<NHWC>>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  return %y : tensor<1x4x6x8xf32>
}

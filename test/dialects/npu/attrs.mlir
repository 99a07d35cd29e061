// RUN: NPU_ROUNDTRIP
// RUN: NPU_GENERIC_ROUNDTRIP

/// Feature maps: every rank, the logical order, channels last, and an unusual order.
// CHECK-LABEL: func.func private @feature
// CHECK-SAME: (tensor<1x3x9xf32, #npu.layout<NCW>>, tensor<1x9x3xf32, #npu.layout<NWC>>,
// CHECK-SAME:  tensor<1x3x5x7xf32, #npu.layout<NCHW>>, tensor<1x5x7x3xf32, #npu.layout<NHWC>>, tensor<7x3x5x1xf32, #npu.layout<WCHN>>,
// CHECK-SAME:  tensor<1x3x2x5x7xf32, #npu.layout<NCDHW>>, tensor<1x2x5x7x3xf32, #npu.layout<NDHWC>>, tensor<2x7x1x3x5xf32, #npu.layout<DWNCH>>)
func.func private @feature(
  tensor<1x3x9xf32, #npu.layout<NCW>>, tensor<1x9x3xf32, #npu.layout<NWC>>,
  tensor<1x3x5x7xf32, #npu.layout<NCHW>>, tensor<1x5x7x3xf32, #npu.layout<NHWC>>, tensor<7x3x5x1xf32, #npu.layout<WCHN>>,
  tensor<1x3x2x5x7xf32, #npu.layout<NCDHW>>, tensor<1x2x5x7x3xf32, #npu.layout<NDHWC>>, tensor<2x7x1x3x5xf32, #npu.layout<DWNCH>>)

/// Kernels likewise.
// CHECK-LABEL: func.func private @weight
// CHECK-SAME: (tensor<8x3x9xf32, #npu.layout<OIW>>, tensor<9x8x3xf32, #npu.layout<WOI>>,
// CHECK-SAME:  tensor<8x3x5x7xf32, #npu.layout<OIHW>>, tensor<5x7x8x3xf32, #npu.layout<HWOI>>, tensor<3x7x8x5xf32, #npu.layout<IWOH>>,
// CHECK-SAME:  tensor<8x3x2x5x7xf32, #npu.layout<OIDHW>>, tensor<2x5x7x8x3xf32, #npu.layout<DHWOI>>)
func.func private @weight(
  tensor<8x3x9xf32, #npu.layout<OIW>>, tensor<9x8x3xf32, #npu.layout<WOI>>,
  tensor<8x3x5x7xf32, #npu.layout<OIHW>>, tensor<5x7x8x3xf32, #npu.layout<HWOI>>, tensor<3x7x8x5xf32, #npu.layout<IWOH>>,
  tensor<8x3x2x5x7xf32, #npu.layout<OIDHW>>, tensor<2x5x7x8x3xf32, #npu.layout<DHWOI>>)

/// Tensors have no letters; those in identity order have any rank, those in another order at most rank 6.
// CHECK-LABEL: func.func private @tensor
// CHECK-SAME: (tensor<f32, #npu.layout<Tensor>>, tensor<4xf32, #npu.layout<Tensor>>, tensor<1x2x3x4x5x6x7xf32, #npu.layout<Tensor>>,
// CHECK-SAME:  tensor<4x3xf32, #npu.layout<Tensor, [1, 0]>>, tensor<6x5x4x3x2x1xf32, #npu.layout<Tensor, [5, 4, 3, 2, 1, 0]>>)
func.func private @tensor(
  tensor<f32, #npu.layout<Tensor>>, tensor<4xf32, #npu.layout<Tensor>>, tensor<1x2x3x4x5x6x7xf32, #npu.layout<Tensor>>,
  tensor<4x3xf32, #npu.layout<Tensor, [1, 0]>>, tensor<6x5x4x3x2x1xf32, #npu.layout<Tensor, [5, 4, 3, 2, 1, 0]>>)

/// Batches of matrices, ranks 3 to 6.
// CHECK-LABEL: func.func private @ntensor
// CHECK-SAME: (tensor<2x3x4xf32, #npu.layout<NTensor>>, tensor<1x2x3x4x5x6xf32, #npu.layout<NTensor>>,
// CHECK-SAME:  tensor<2x4x3xf32, #npu.layout<NTensor, [0, 2, 1]>>)
func.func private @ntensor(
  tensor<2x3x4xf32, #npu.layout<NTensor>>, tensor<1x2x3x4x5x6xf32, #npu.layout<NTensor>>,
  tensor<2x4x3xf32, #npu.layout<NTensor, [0, 2, 1]>>)

/// The identity order is not printed, so that equal layouts are equal types. Spaces do not matter.
// CHECK-LABEL: func.func private @identity
// CHECK-SAME: (tensor<2x3xf32, #npu.layout<Tensor>>, tensor<2x3x4xf32, #npu.layout<NTensor>>, tensor<3x2xf32, #npu.layout<Tensor, [1, 0]>>)
func.func private @identity(
  tensor<2x3xf32, #npu.layout<Tensor, [0, 1]>>, tensor<2x3x4xf32, #npu.layout<NTensor, [0,1,2]>>, tensor<3x2xf32, #npu.layout< Tensor ,[ 1,0 ] >>)

/// A dynamic dimension has its place in the order, too.
// CHECK-LABEL: func.func private @dynamic
// CHECK-SAME: (tensor<?x?x?x3xf32, #npu.layout<NHWC>>, tensor<?x4xf32, #npu.layout<Tensor, [1, 0]>>)
func.func private @dynamic(tensor<?x?x?x3xf32, #npu.layout<NHWC>>, tensor<?x4xf32, #npu.layout<Tensor, [1, 0]>>)

/// All attributes, at all positions of an attribute.
// CHECK-LABEL: func.func private @attributes
// CHECK-SAME: attributes {layout = #npu.layout<NHWC>, order = #npu.layout<Tensor, [1, 0]>,
// CHECK-SAME: dims = #npu.dims<[@in0, 12, ?]>, none = #npu.dims<[]>,
// CHECK-SAME: ref = #npu.reference<"w.safetensors", "conv1.weight">, permuted = #npu.reference<"w.safetensors", "a \22b\22 \\ c", [2, 3, 0, 1]>,
// CHECK-SAME: scalar = #npu.reference<"", "", []>, reshaped = #npu.reference<"w.safetensors", "fc", reshaped [1, 0]>,
// CHECK-SAME: row = #npu.reference<"w.safetensors", "fc", reshaped>,
// CHECK-SAME: steps = #npu.reference<"w.safetensors", "fc", [1, 0] of [3, 6], reshaped [0, 1] of [9, 2], reshaped [1, 0]>,
// CHECK-SAME: rows = #npu.reference<"w.safetensors", "fc", reshaped [] of [], reshaped>}
func.func private @attributes() attributes {
  layout = #npu.layout<NHWC>, order = #npu.layout<Tensor, [1, 0]>,
  dims = #npu.dims<[@in0, 12, ?]>, none = #npu.dims<[]>,
  ref = #npu.reference<"w.safetensors", "conv1.weight">, permuted = #npu.reference<"w.safetensors", "a \22b\22 \\ c", [2, 3, 0, 1]>,
  scalar = #npu.reference<"", "", []>, reshaped = #npu.reference<"w.safetensors", "fc", reshaped [1, 0]>,
  row = #npu.reference<"w.safetensors", "fc", reshaped>,
  steps = #npu.reference<"w.safetensors", "fc", [1, 0] of [3, 6], reshaped [0, 1] of [9, 2], reshaped [1, 0]>,
  rows = #npu.reference<"w.safetensors", "fc", reshaped [] of [], reshaped>}

/// An alias of a type with its layout.
!image = tensor<1x5x7x3xf32, #npu.layout<NHWC>>
// CHECK-LABEL: func.func private @alias
// CHECK-SAME: (tensor<1x5x7x3xf32, #npu.layout<NHWC>>) -> tensor<1x5x7x3xf32, #npu.layout<NHWC>>
func.func private @alias(!image) -> !image

// RUN: npu-opt %s --tie-interfaces='ties="prefill:output0=decode:past" calls="decode=512"' | filecheck %s
// RUN: npu-opt %s -p 'tie-interfaces{ties="prefill:output0=decode:past"},tie-interfaces{ties="prefill:output0=decode:past"}' | filecheck %s --check-prefix TWICE
// RUN: npu-opt %s --tie-interfaces='ties="prefill:output*=decode:output*,prefill:output0=decode:past"' | filecheck %s --check-prefix BOTH
// RUN: not npu-opt %s --tie-interfaces='ties="prefill:present=decode:past"' 2>&1 | filecheck %s --check-prefix NO-END
// RUN: not npu-opt %s --tie-interfaces='ties="prefil:output0=decode:past"' 2>&1 | filecheck %s --check-prefix NO-SUCH
// RUN: not npu-opt %s --tie-interfaces='ties="output0=past"' 2>&1 | filecheck %s --check-prefix NONE-SAID
// RUN: not npu-opt %s --tie-interfaces='ties="prefill:x=decode:past"' 2>&1 | filecheck %s --check-prefix RANK
// RUN: not npu-opt %s --tie-interfaces='ties="prefill:output0"' 2>&1 | filecheck %s --check-prefix TEXT
// RUN: not npu-opt %s --tie-interfaces='calls="decode=0"' 2>&1 | filecheck %s --check-prefix CALLS
// RUN: not npu-opt %s --tie-interfaces='calls="decod=2"' 2>&1 | filecheck %s --check-prefix CALLED

/// The ends of a tie have its name, and the function has the calls.
// CHECK:      func.func @prefill(%x: tensor<1x16x64xf32>) -> (tensor<1x8x16x8xf32> {npu.tie = "prefill:output0=decode:past"}) {
// CHECK:      func.func @decode(%past: tensor<1x8x16x8xf32> {npu.tie = "prefill:output0=decode:past"}) -> tensor<1x8x16x8xf32> attributes {npu.calls = 512 : i64} {

/// A tie that is there is not written again.
// TWICE:      func.func @prefill(%x: tensor<1x16x64xf32>) -> (tensor<1x8x16x8xf32> {npu.tie = "prefill:output0=decode:past"}) {

/// An end of two ties has both names; a star is one text for all sides.
// BOTH:       func.func @prefill(%x: tensor<1x16x64xf32>) -> (tensor<1x8x16x8xf32> {npu.tie = ["prefill:output0=decode:output0", "prefill:output0=decode:past"]}) {
// BOTH:       func.func @decode(%past: tensor<1x8x16x8xf32> {npu.tie = "prefill:output0=decode:past"}) -> (tensor<1x8x16x8xf32> {npu.tie = "prefill:output0=decode:output0"}) {

/// Errors list the names that there are.
// NO-END:      option ties: 'prefill:present=decode:past': @prefill has no argument or result 'present' (it has x, output0)
// NO-SUCH:     option ties: 'prefil:output0=decode:past': no function 'prefil' (there are prefill, decode)
// NONE-SAID:   option ties: 'output0=past': 'output0' names no function (there are prefill, decode)
// RANK:        option ties: 'prefill:x=decode:past': @prefill:%x has 3 dimensions, and @decode:%past has 4
// TEXT:        option ties: expected FUNCTION:NAME=FUNCTION:NAME, with one * at most in each name (in all of them or in none), found 'prefill:output0'
// CALLS:       option calls: expected FUNCTION=COUNT, once for each, found 'decode=0'
// CALLED:      option calls: no function 'decod' (there are prefill, decode)
func.func @prefill(%x: tensor<1x16x64xf32>) -> tensor<1x8x16x8xf32> {
  %heads = npu.reshape %x : (tensor<1x16x64xf32>) -> tensor<1x16x8x8xf32>
  %k = npu.transpose %heads permutation = [0, 2, 1, 3] : (tensor<1x16x8x8xf32>) -> tensor<1x8x16x8xf32>
  func.return %k : tensor<1x8x16x8xf32>
}

func.func @decode(%past: tensor<1x8x16x8xf32>) -> tensor<1x8x16x8xf32> {
  func.return %past : tensor<1x8x16x8xf32>
}

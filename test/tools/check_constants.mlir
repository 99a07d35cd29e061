// RUN: sed 's/5.0/5.25/; s/2.0/2.0001/' %s > %t.other.mlir
// RUN: not npu-check %s %t.other.mlir | filecheck %s --match-full-lines
// RUN: sed 's/2.0/2.0001/' %s > %t.near.mlir
// RUN: not npu-check %s %t.near.mlir | filecheck %s --check-prefix NEAR --match-full-lines
// RUN: not npu-check %s %t.near.mlir --tolerance=1e-6 --seed 3 | filecheck %s --check-prefix EXACT --match-full-lines
// RUN: not npu-check %s %t.other.mlir --json | filecheck %s --check-prefix JSON --match-full-lines
// RUN: npu-check %s %s --json | filecheck %s --check-prefix PROVED --match-full-lines
// RUN: npu-check %s %s --numeric --trials 2 | filecheck %s --check-prefix NUMBERS --match-full-lines
// RUN: not npu-check %s %s --tolerance=-1 2>&1 | filecheck %s --check-prefix WRONG --match-full-lines

/// Constants that differ are compared: the number of elements, the largest difference, and its place.
// CHECK:      different: @main: on the random input of seed 0, element {{.*}} of result 0 is {{.*}} in the first program and {{.*}} in the second
// CHECK-NEXT: {{.*}}check_constants.mlir:33:8: note: the second program has nothing equal to: the constant %k of 2x3 of f32
// CHECK-NEXT: {{.*}}.other.mlir:33:8: note: the first program has nothing equal to: the constant %k of 2x3 of f32
// CHECK-NEXT: note: 2 of 6 elements differ, by up to 0.25: element [1, 1] is 5.0 in the first program and 5.25 in the second
// CHECK-NEXT: note: @main was run on 1 random input (seed 0): the results differ, by up to 0.25
// CHECK-NOT:  {{.+}}

/// Numbers that are near are no proof, and no difference; --tolerance says how near is near.
// NEAR:      undecided: @main: result 0 is not computed in the same way
// NEAR:      note: 1 of 6 elements differ, by up to 9.98974e-05: element [0, 1] is 2.0 in the first program and 2.0000998973846436 in the second
// NEAR-NEXT: note: @main was run on 1 random input (seed 0): the results agree, up to 9.99e-05 (tolerance 0.001)
// NEAR-NEXT: note: flags that may decide: --arithmetic
// EXACT:     different: @main: on the random input of seed 3, element [0, 1] of result 0 is {{.*}}
// EXACT:     note: @main was run on 1 random input (seed 3): the results differ, by up to {{.*}}

// JSON: {"verdict": "different", "programs": ["{{.*}}check_constants.mlir", "{{.*}}.other.mlir"], "function": "main", "reason": "on the random input of seed 0, {{.*}}", "unmatched": [{"place": "{{.*}}check_constants.mlir:33:8", "op": "the constant %k of 2x3 of f32"}, {"place": "{{.*}}:33:8", "op": "the constant %k of 2x3 of f32"}], "constants": {"elements": 2, "of": 6, "largest": 0.25, "place": [1, 1], "first": 5.0, "second": 5.25}, "trials": [{"function": "main", "run": true, "seeds": [0], "agree": false, "largest_difference": {{.*}}, "tolerance": 0.001}], "interfaces": [], "believed": [], "rounds_once": false, "by_formulas": false, "sizes_fit": false, "powers_fit": false, "offsets_fit": false, "zeros_absorb": false, "read_as": [], "out_of_time": false, "untried": []}
// PROVED: {"verdict": "proved", "programs": ["{{.*}}", "{{.*}}"], "function": null, "reason": null, "unmatched": [null, null], "constants": null, "trials": [], "interfaces": [], "believed": [], "rounds_once": false, "by_formulas": false, "sizes_fit": false, "powers_fit": false, "offsets_fit": false, "zeros_absorb": false, "read_as": [], "out_of_time": false, "untried": []}
// NUMBERS:      proved: {{.*}} compute the same
// NUMBERS-NEXT: note: @main was run on 2 random inputs (seeds 0 to 1): the results agree, up to 0 (tolerance 0.001)
// WRONG: npu-check: error: argument --tolerance: expected a number of at least 0, found '-1'
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %k = npu.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = npu.add %x, %k : tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

package gobuild

import "testing"

// A result that stands before the panic of the same benchmark is none; those of
// benchmarks before it are.
func TestLastNamedBeforeAPanic(t *testing.T) {
	tests := []struct{ name, output, want string }{
		{"result, then its panic", "=== RUN   BenchmarkA\nBenchmarkA\nBenchmarkA-2 \t 1\t 100 ns/op\npanic: broken\n\ngoroutine 5 [running]:\n", "BenchmarkA"},
		{"another one panics", "=== RUN   BenchmarkA/x\nBenchmarkA/x\nBenchmarkA/x-2 \t 1\t 100 ns/op\n=== RUN   BenchmarkA/y\nBenchmarkA/y\npanic: broken\n\ngoroutine 5 [running]:\n", "BenchmarkA/y"},
		{"no panic", "BenchmarkA\nBenchmarkA-2 \t 1\t 100 ns/op\n", ""},
		{"a benchmark that prints the word", "BenchmarkA\npanic: none\nBenchmarkA-2 \t 1\t 100 ns/op\n", ""},
		{"panic before any", "panic: at start\n\ngoroutine 1 [running]:\nBenchmarkA\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := lastNamed(tt.output, 2); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

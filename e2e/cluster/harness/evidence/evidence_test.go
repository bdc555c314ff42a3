// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func TestSince(t *testing.T) {
	began := time.Date(2026, 1, 1, 0, 0, 10, 0, time.UTC)
	at := func(seconds int, method string) trace.Call {
		return trace.Call{Time: began.Add(time.Duration(seconds) * time.Second), Method: method}
	}
	got := Since(began, []trace.Call{at(2, "third"), at(-1, "before"), at(0, "first"), at(1, "second")})
	var methods []string
	for _, call := range got {
		methods = append(methods, call.Method)
	}
	if len(methods) != 3 || methods[0] != "first" || methods[1] != "second" || methods[2] != "third" {
		t.Errorf("got %q, want what came since, in order", methods)
	}
}

func TestWriteKeepsToItsDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "case", "logs")
	if err := Write(dir, "../pod_container.log", []byte("line\n")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, ".._pod_container.log")); err != nil || string(got) != "line\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

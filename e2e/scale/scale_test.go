// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

func TestReadMetrics(t *testing.T) {
	const text = `# TYPE workqueue_depth gauge
workqueue_depth{name="claims"} 7
workqueue_depth{name="csistoragecapacity"} 400
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 1.048576e+06
`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }))
	defer server.Close()
	got, err := (&provisioner{metrics: server.URL}).read(t.Context())
	if want := (reading{queue: 400, resident: 1 << 20}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestStandInCountsCalls(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "csi.sock")
	driver := &standIn{}
	driver.answer(5, 0)
	stop, err := driver.serve(t.Context(), socket)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	conn, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	told, err := csi.NewControllerClient(conn).GetCapacity(t.Context(), &csi.GetCapacityRequest{})
	if err != nil || told.GetAvailableCapacity() != 5 || driver.calls.Load() != 1 {
		t.Errorf("got %v, %v after %d calls", told, err, driver.calls.Load())
	}
}

func TestPrint(t *testing.T) {
	const first, second column = "first", "second"
	e := Experiment{Name: "n", Question: "What", columns: []column{first, second}}
	var out strings.Builder
	Print(&out, e, []Result{
		{Version: "v1", turns: []figures{{first: 3, second: 5}, {first: 1, second: 5}, {first: 2, second: 5}}},
		{Version: "v2", turns: []figures{{first: 9}, {first: 9, second: 1}, {first: 9}}},
	})
	const want = `
## n

What. Runs of each version: 3.

| csi-provisioner | first | second |
| --- | --- | --- |
| v1 | 2 (1 to 3) | 5 |
| v2 | 9 | not reached in 2 of 3 |
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

func TestReadMetrics(t *testing.T) {
	const text = `# TYPE workqueue_depth gauge
workqueue_depth{name="claims"} 7
workqueue_depth{name="csistoragecapacity"} 400
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 1.048576e+06
# TYPE duration_seconds histogram
duration_seconds_bucket{point="Filter",le="+Inf"} 4
duration_seconds_sum{point="Filter"} 2
duration_seconds_count{point="Filter"} 4
duration_seconds_bucket{point="Score",le="+Inf"} 1
duration_seconds_sum{point="Score"} 9
duration_seconds_count{point="Score"} 1
`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }))
	defer server.Close()
	got, err := (&process{metrics: server.URL, client: server.Client()}).read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if queue, resident := got.value("workqueue_depth", "name", "csistoragecapacity"), got.value("process_resident_memory_bytes"); queue != 400 || resident != 1<<20 {
		t.Errorf("got a queue of %v and %v bytes", queue, resident)
	}
	if mean := got.mean("duration_seconds", "point", "Filter"); mean != 0.5 {
		t.Errorf("got a mean of %v", mean)
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

func TestStandInHasRoomForSoMuch(t *testing.T) {
	topology := &csi.Topology{Segments: map[string]string{topologyKey: "a"}}
	driver := &standIn{room: map[string]int64{"a": 3}, volumes: map[string]*csi.Volume{}}
	create := func(name string) codes.Code {
		_, err := driver.CreateVolume(t.Context(), &csi.CreateVolumeRequest{Name: name, CapacityRange: &csi.CapacityRange{RequiredBytes: 2},
			AccessibilityRequirements: &csi.TopologyRequirement{Preferred: []*csi.Topology{topology}}})
		return status.Code(err)
	}
	for _, c := range []struct {
		name string
		want codes.Code
	}{{"one", codes.OK}, {"two", codes.ResourceExhausted}, {"one", codes.OK}} {
		if got := create(c.name); got != c.want {
			t.Errorf("volume %s: got %s, want %s", c.name, got, c.want)
		}
	}
	left, err := driver.GetCapacity(t.Context(), &csi.GetCapacityRequest{AccessibleTopology: topology})
	if err != nil || left.GetAvailableCapacity() != 1 || driver.refusals() != 1 {
		t.Errorf("got %v, %v after %d refusals", left, err, driver.refusals())
	}
}

func TestPrint(t *testing.T) {
	const first, second column = "first", "second"
	e := Experiment{Name: "n", Question: "What", compared: "component", columns: []column{first, second}}
	var out strings.Builder
	Print(&out, e, []Result{
		{Variant: "v1", turns: []figures{{first: 3, second: 5}, {first: 1, second: 5}, {first: 2, second: 5}}},
		{Variant: "v2", turns: []figures{{first: 9}, {first: 9, second: 1}, {first: 9}}},
	})
	const want = `
## n

What. Runs of each row: 3.

| component | first | second |
| --- | --- | --- |
| v1 | 2 (1 to 3) | 5 |
| v2 | 9 | not reached in 2 of 3 |

| times v1 | first | second |
| --- | --- | --- |
| v2 | 4.5 (3 to 9) | – |
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestAnEndedProgramIsAnError(t *testing.T) {
	w := &world{dir: t.TempDir()}
	p, err := w.start(t.Context(), "program", "sh", "-c", "echo why; exit 1")
	if err != nil {
		t.Fatal(err)
	}
	<-p.ended
	never := func(context.Context) (bool, error) { return false, nil }
	if _, _, err := w.until(t.Context(), time.Second, time.Minute, never); err == nil || !strings.Contains(err.Error(), "program has ended: why") {
		t.Errorf("got %v", err)
	}
}

func TestPatienceThatEndsIsNoError(t *testing.T) {
	never := func(context.Context) (bool, error) { return false, nil }
	if _, held, err := (&world{}).until(t.Context(), time.Millisecond, time.Millisecond, never); held || err != nil {
		t.Errorf("got %v, %v", held, err)
	}
}

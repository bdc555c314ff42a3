// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

const kubeletText = `# HELP kubelet_volume_stats_capacity_bytes [ALPHA] Capacity in bytes of the volume
# TYPE kubelet_volume_stats_capacity_bytes gauge
kubelet_volume_stats_capacity_bytes{namespace="n",persistentvolumeclaim="c"} 3.3554432e+07
kubelet_volume_stats_capacity_bytes{namespace="n",persistentvolumeclaim="d"} 1
# TYPE csi_sidecar_operations_seconds histogram
csi_sidecar_operations_seconds_bucket{driver_name="x",grpc_status_code="OK",method_name="m",le="+Inf"} 3
csi_sidecar_operations_seconds_sum{driver_name="x",grpc_status_code="OK",method_name="m"} 1.5
csi_sidecar_operations_seconds_count{driver_name="x",grpc_status_code="OK",method_name="m"} 3
`

func TestSamples(t *testing.T) {
	samples, err := ReadSamples(strings.NewReader(kubeletText))
	if err != nil {
		t.Fatal(err)
	}
	usage := UsageOf(samples, "n", "c")
	if len(usage) != 1 || usage[CapacityBytes] != 32<<20 {
		t.Errorf("got %v, want the claim's capacity alone", usage)
	}
	if got := samples.Observations("csi_sidecar_operations_seconds", map[string]string{"method_name": "m", "grpc_status_code": "OK"}); got != 3 {
		t.Errorf("got %d observations, want 3", got)
	}
	if got := samples.Observations("csi_sidecar_operations_seconds", map[string]string{"method_name": "m", "grpc_status_code": "Internal"}); got != 0 {
		t.Errorf("got %d observations of another code, want none", got)
	}
	const twice, once = "kubelet_volume_stats_capacity_bytes", "objects"
	wantVerdict(t, Gauges(samples, map[string]float64{twice: 1}), differs, "2 metrics")
	wantVerdict(t, Gauges(samples, map[string]float64{once: 1}), differs, "0 metrics")
	samples, err = ReadSamples(strings.NewReader("# TYPE objects gauge\nobjects 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	wantVerdict(t, Gauges(samples, map[string]float64{once: 3}), satisfied)
	wantVerdict(t, Gauges(samples, map[string]float64{once: 2}), differs, "3")
}

func TestUsage(t *testing.T) {
	stats := func(code, response string) trace.Call {
		return trace.Call{Method: "/csi.v1.Node/NodeGetVolumeStats", Code: code, Response: []byte(response)}
	}
	good := stats("OK", `{"usage":[{"unit":"BYTES","total":10}]}`)
	for _, test := range []struct {
		name  string
		given error
		want  string
	}{
		{"shown", Shown(Usage{CapacityBytes: 1}, nil), satisfied},
		{"not asked yet", Shown(nil, nil), notYet},
		{"answered, and not shown yet", Shown(nil, []trace.Call{good}), notYet},
		{"refused for now", Shown(nil, []trace.Call{stats("ABORTED", "")}), notYet},
		{"refused", Shown(nil, []trace.Call{stats("INTERNAL", "")}), forGood},
		{"refused once", Shown(nil, []trace.Call{stats("INTERNAL", ""), good}), notYet},
		{"a total", StatsWithTotals([]trace.Call{good}), satisfied},
		{"no total", StatsWithTotals([]trace.Call{stats("OK", `{"usage":[{"unit":"BYTES"}]}`)}), forGood},
		{"no unit", StatsWithTotals([]trace.Call{stats("OK", `{"usage":[{"total":10}]}`)}), forGood},
		{"no answer", StatsWithTotals([]trace.Call{stats("INTERNAL", "")}), satisfied},
	} {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, test.given, test.want) })
	}
}

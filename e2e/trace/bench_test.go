// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
)

// BenchmarkProxy calls a driver directly and through the proxy in turn, and reports the median of each and of the proxy's
// overhead.
func BenchmarkProxy(b *testing.B) {
	p := behind(b, &fakeDriver{create: func(_ context.Context, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		return &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: r.GetName(), AccessibleTopology: r.GetAccessibilityRequirements().GetPreferred()[:1]}}, nil
	}})
	direct := connect(b, p.proxy.Driver)
	request := &csi.CreateVolumeRequest{Name: "pvc-0b0c0d0e", Parameters: map[string]string{"replicas": "2"}, AccessibilityRequirements: &csi.TopologyRequirement{}}
	for _, zone := range []string{"a", "b", "c", "d"} {
		topology := &csi.Topology{Segments: map[string]string{"topology.example.com/region": "r", "topology.example.com/zone": zone}}
		request.AccessibilityRequirements.Requisite = append(request.AccessibilityRequirements.Requisite, topology)
		request.AccessibilityRequirements.Preferred = append(request.AccessibilityRequirements.Preferred, topology)
	}
	call := func(conn *grpc.ClientConn) time.Duration {
		began := time.Now()
		if _, err := csi.NewControllerClient(conn).CreateVolume(b.Context(), request); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	call(direct)
	call(p.conn)
	var without, with, added []time.Duration
	for b.Loop() {
		d, v := call(direct), call(p.conn)
		without, with, added = append(without, d), append(with, v), append(added, v-d)
	}
	for name, all := range map[string][]time.Duration{"direct": without, "proxied": with, "added": added} {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, name+"-p50-ms")
	}
}

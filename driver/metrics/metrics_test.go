// SPDX-License-Identifier: Apache-2.0

package metrics_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/metrics"
	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/topology"
)

const (
	createVolume = "/csi.v1.Controller/CreateVolume"
	z2           = "topology.hostpath.topo.csi/region=R1,topology.hostpath.topo.csi/zone=Z2"
)

// scrape returns the metrics that Prometheus would read.
func scrape(t *testing.T, m *metrics.Metrics) map[string]*dto.MetricFamily {
	t.Helper()
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("the scrape answers %d: %s", answer.Code, answer.Body)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// metric returns the metric of the family with all the labels ("name=value"), or nil.
func metric(families map[string]*dto.MetricFamily, family string, labels ...string) *dto.Metric {
	for _, m := range families[family].GetMetric() {
		missing := len(labels)
		for _, pair := range m.GetLabel() {
			for _, label := range labels {
				if pair.GetName()+"="+pair.GetValue() == label {
					missing--
				}
			}
		}
		if missing == 0 {
			return m
		}
	}
	return nil
}

func TestRecord(t *testing.T) {
	m := metrics.New("hostpath.topo.csi")
	call := func(answer error) {
		handle := func(context.Context, any) (any, error) { return "response", answer }
		response, err := m.Record(t.Context(), nil, &grpc.UnaryServerInfo{FullMethod: createVolume}, handle)
		if response != "response" || !errors.Is(err, answer) {
			t.Errorf("the caller gets %v, %v", response, err)
		}
	}
	call(nil)
	call(nil)
	call(status.Error(codes.ResourceExhausted, "no room"))

	families := scrape(t, m)
	for _, test := range []struct {
		code string
		want uint64
	}{{"OK", 2}, {"ResourceExhausted", 1}, {"Internal", 0}} {
		calls := metric(families, "csi_plugin_operations_seconds", "driver_name=hostpath.topo.csi", "method_name="+createVolume, "grpc_status_code="+test.code)
		if got := calls.GetHistogram().GetSampleCount(); got != test.want {
			t.Errorf("%d calls are counted as %s, want %d", got, test.code, test.want)
		}
		if got := calls.GetHistogram().GetSampleSum(); (got > 0) != (test.want > 0) || got > 10 {
			t.Errorf("the calls that end as %s took %g seconds", test.code, got)
		}
	}
}

func TestUsage(t *testing.T) {
	m := metrics.New("hostpath.topo.csi")
	volumes := 3
	m.AddUsage(metrics.Usage{
		Pools: func() []pool.Usage {
			segment := topology.Segment{topology.ZoneKey: "Z2", topology.RegionKey: "R1"}
			return []pool.Usage{
				{Segment: segment, CapacityBytes: 10 << 30, AvailableBytes: 4 << 30},
				{Class: "fast", Segment: segment, CapacityBytes: 5 << 30},
			}
		},
		Volumes:   func() (int, error) { return volumes, nil },
		Snapshots: func() (int, error) { return 2, nil },
	})
	for _, test := range []struct {
		family string
		labels []string
		want   float64
	}{
		{"hostpath_topo_pool_capacity_bytes", []string{"class=", "segment=" + z2}, 10 << 30},
		{"hostpath_topo_pool_available_bytes", []string{"class=", "segment=" + z2}, 4 << 30},
		{"hostpath_topo_pool_capacity_bytes", []string{"class=fast", "segment=" + z2}, 5 << 30},
		{"hostpath_topo_pool_available_bytes", []string{"class=fast", "segment=" + z2}, 0},
		{"hostpath_topo_volumes", nil, 3},
		{"hostpath_topo_snapshots", nil, 2},
	} {
		found := metric(scrape(t, m), test.family, test.labels...)
		if found == nil || found.GetGauge() == nil || found.GetGauge().GetValue() != test.want {
			t.Errorf("%s%v is %v, want the gauge %g", test.family, test.labels, found, test.want)
		}
	}
	volumes = 4
	if got := metric(scrape(t, m), "hostpath_topo_volumes").GetGauge().GetValue(); got != 4 {
		t.Errorf("a later scrape finds %g volumes, want 4", got)
	}
}

func TestUsageThatCannotBeHad(t *testing.T) {
	m := metrics.New("hostpath.topo.csi")
	m.AddUsage(metrics.Usage{
		Pools:     func() []pool.Usage { return nil },
		Volumes:   func() (int, error) { return 0, errors.New("the records are closed") },
		Snapshots: func() (int, error) { return 2, nil },
	})
	families := scrape(t, m)
	if families["hostpath_topo_volumes"] != nil {
		t.Error("volumes are counted, though nobody knows how many there are")
	}
	if got := metric(families, "hostpath_topo_snapshots").GetGauge().GetValue(); got != 2 {
		t.Errorf("there are %g snapshots, want 2", got)
	}
}

func TestEveryFamilyIsDescribed(t *testing.T) {
	m := metrics.New("hostpath.topo.csi")
	m.AddUsage(metrics.Usage{
		Pools:     func() []pool.Usage { return []pool.Usage{{}} },
		Volumes:   func() (int, error) { return 0, nil },
		Snapshots: func() (int, error) { return 0, nil },
	})
	for name, family := range scrape(t, m) {
		if strings.HasPrefix(name, "hostpath_topo_") && !strings.HasSuffix(family.GetHelp(), ".") {
			t.Errorf("the help of %s is %q, want a sentence", name, family.GetHelp())
		}
	}
}

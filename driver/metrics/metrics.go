// SPDX-License-Identifier: Apache-2.0

// Package metrics exports metrics of the driver for Prometheus: the result and duration of every RPC, under the names
// that all CSI drivers use, and the usage of the driver's pools. It does not know volumes: the functions in Usage return
// their numbers at each scrape.
//
//	csi_plugin_operations_seconds{driver_name,method_name,grpc_status_code}   histogram
//	hostpath_topo_pool_capacity_bytes{class,segment}                          gauge
//	hostpath_topo_pool_available_bytes{class,segment}                         gauge
//	hostpath_topo_volumes                                                     gauge
//	hostpath_topo_snapshots                                                   gauge
//
// method_name is the full name, such as "/csi.v1.Controller/CreateVolume", and grpc_status_code a name such as "OK" or
// "ResourceExhausted". class is the value of the StorageClass parameter of that name, which may be empty. segment has all
// keys and values of the segment, "key=value,key=value", sorted by key.
package metrics

import (
	"context"
	"net/http"
	"time"

	"github.com/kubernetes-csi/csi-lib-utils/metrics"
	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
)

// Metrics holds the metrics of one process.
type Metrics struct {
	manager metrics.CSIMetricsManager
}

// New returns the metrics of the driver with that name, without those of pools.
func New(driver string) *Metrics {
	return &Metrics{manager: metrics.NewCSIMetricsManagerForPlugin(driver)}
}

// AddUsage adds the metrics of pools, volumes and snapshots. It must be called before Handler is in use.
func (m *Metrics) AddUsage(usage Usage) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(newUsageCollector(usage)) // it is the only collector
	m.manager.WithAdditionalRegistry(registry)
}

// Handler answers a scrape.
func (m *Metrics) Handler() http.Handler {
	routes := http.NewServeMux()
	m.manager.RegisterToServer(routes, "/")
	return routes
}

// Record counts each call, as an interceptor.
func (m *Metrics) Record(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	start := time.Now()
	response, err := handle(ctx, request)
	m.manager.RecordMetrics(info.FullMethod, err, time.Since(start))
	return response, err
}

// RecordStream counts each streaming call, as an interceptor.
func (m *Metrics) RecordStream(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	start := time.Now()
	err := handle(server, stream)
	m.manager.RecordMetrics(info.FullMethod, err, time.Since(start))
	return err
}

// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/csi-topo/csi-topo/driver/pool"
)

// Usage holds functions that are called at each scrape. All are required, and must be safe for concurrent use.
type Usage struct {
	// Pools returns the total and the remaining capacity of each class of storage in each segment.
	Pools func() []pool.Usage
	// Volumes and Snapshots return their numbers.
	Volumes, Snapshots func() (int, error)
}

// usageCollector makes metrics from the results of Usage.
type usageCollector struct {
	usage                                   Usage
	capacity, available, volumes, snapshots *prometheus.Desc
}

func newUsageCollector(usage Usage) *usageCollector {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("hostpath_topo_"+name, help, labels, nil)
	}
	return &usageCollector{
		usage:     usage,
		capacity:  describe("pool_capacity_bytes", "Bytes of a class of storage that a segment has, used or not.", "class", "segment"),
		available: describe("pool_available_bytes", "Bytes of a class of storage in a segment that nothing reserves.", "class", "segment"),
		volumes:   describe("volumes", "Number of volumes."),
		snapshots: describe("snapshots", "Number of snapshots."),
	}
}

// Describe implements prometheus.Collector.
func (c *usageCollector) Describe(descriptions chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.capacity, c.available, c.volumes, c.snapshots} {
		descriptions <- d
	}
}

// Collect implements prometheus.Collector. A number that cannot be read is left out of the scrape.
func (c *usageCollector) Collect(collected chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value int64, labels ...string) {
		collected <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value), labels...)
	}
	for _, p := range c.usage.Pools() {
		gauge(c.capacity, p.CapacityBytes, p.Class, p.Segment.String())
		gauge(c.available, p.AvailableBytes, p.Class, p.Segment.String())
	}
	count := func(d *prometheus.Desc, of func() (int, error)) {
		n, err := of()
		if err != nil {
			collected <- prometheus.NewInvalidMetric(d, err)
			return
		}
		gauge(d, int64(n))
	}
	count(c.volumes, c.usage.Volumes)
	count(c.snapshots, c.usage.Snapshots)
}

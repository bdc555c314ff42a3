// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Usage holds a kubelet's metrics of a volume, by name.
type Usage map[string]float64

// The metrics of a kubelet for each volume in use, from pkg/kubelet/metrics of Kubernetes.
const (
	CapacityBytes  = "kubelet_volume_stats_capacity_bytes"
	AvailableBytes = "kubelet_volume_stats_available_bytes"
	UsedBytes      = "kubelet_volume_stats_used_bytes"
	Inodes         = "kubelet_volume_stats_inodes"
	InodesFree     = "kubelet_volume_stats_inodes_free"
	InodesUsed     = "kubelet_volume_stats_inodes_used"
)

// UsageOf returns the metrics of the claim's volume; it is empty if there are none.
func UsageOf(samples Samples, namespace, claim string) Usage {
	usage := Usage{}
	for _, name := range []string{CapacityBytes, AvailableBytes, UsedBytes, Inodes, InodesFree, InodesUsed} {
		if value, found := samples.Gauge(name, map[string]string{"namespace": namespace, "persistentvolumeclaim": claim}); found {
			usage[name] = value
		}
	}
	return usage
}

// Shown requires the usage to have a capacity. The calls of NodeGetVolumeStats, if they are recorded, give the reason why
// it has none: if the driver refused all of them, no capacity will be shown.
func Shown(usage Usage, calls []trace.Call) error {
	if _, found := usage[CapacityBytes]; found {
		return nil
	}
	calls = CallsOf(calls, "NodeGetVolumeStats")
	answered := slices.ContainsFunc(calls, func(call trace.Call) bool { return call.Code == codeOK })
	refused := slices.DeleteFunc(slices.Clone(calls), func(call trace.Call) bool {
		return slices.Contains([]string{codeOK, "ABORTED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "CANCELED"}, call.Code)
	})
	if !answered && len(refused) > 0 {
		return finalMismatch("NodeGetVolumeStats of a volume that is published", codeOK, refused[0].Code+": "+refused[0].Message)
	}
	return fmt.Errorf("the kubelet does not show %s; it called NodeGetVolumeStats %d times", CapacityBytes, len(calls))
}

// volumeUsage is one usage in a recorded answer of NodeGetVolumeStats.
type volumeUsage struct {
	Unit  string
	Total json.Number
}

// StatsWithTotals requires each usage in the answers of NodeGetVolumeStats to have a total and a unit.
func StatsWithTotals(calls []trace.Call) error {
	for _, call := range CallsOf(calls, "NodeGetVolumeStats") {
		if call.Code != codeOK {
			continue
		}
		var answer struct{ Usage []volumeUsage }
		if err := json.Unmarshal(call.Response, &answer); err != nil {
			return fmt.Errorf("reading an answer of NodeGetVolumeStats: %w", err)
		}
		for _, usage := range answer.Usage {
			if total, err := usage.Total.Float64(); err != nil || total <= 0 || usage.Unit == "" {
				return finalMismatch("usage in an answer of NodeGetVolumeStats", "a total and a unit", string(call.Response))
			}
		}
	}
	return nil
}

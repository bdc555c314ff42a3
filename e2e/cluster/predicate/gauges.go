package predicate

import (
	"fmt"
	"maps"
	"slices"

	dto "github.com/prometheus/client_model/go"
)

// Gauges wants each of these metrics, by its name, to be one gauge with this value.
func Gauges(found map[string]*dto.MetricFamily, wanted map[string]float64) error {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		metrics := found[name].GetMetric()
		if len(metrics) != 1 {
			return mismatch("metric "+name, "one gauge", fmt.Sprintf("%d metrics", len(metrics)))
		}
		if got := metrics[0].GetGauge().GetValue(); got != wanted[name] {
			return mismatch("metric "+name, fmt.Sprint(wanted[name]), fmt.Sprint(got))
		}
	}
	return nil
}

// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"io"
	"maps"
	"slices"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Samples are the metrics of a component: by name, each with its labels.
type Samples map[string]*dto.MetricFamily

// ReadSamples reads metrics in the text format of Prometheus.
func ReadSamples(text io.Reader) (Samples, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	found, err := parser.TextToMetricFamilies(text)
	if err != nil {
		return nil, fmt.Errorf("reading metrics: %w", err)
	}
	return found, nil
}

// Gauge returns the value of the gauge with these labels, and whether there is one.
func (s Samples) Gauge(name string, labels map[string]string) (float64, bool) {
	for _, metric := range s[name].GetMetric() {
		if metric.GetGauge() != nil && hasLabels(metric, labels) {
			return metric.GetGauge().GetValue(), true
		}
	}
	return 0, false
}

// Counter returns the sum of the counters with these labels.
func (s Samples) Counter(name string, labels map[string]string) float64 {
	var sum float64
	for _, metric := range s[name].GetMetric() {
		if hasLabels(metric, labels) {
			sum += metric.GetCounter().GetValue()
		}
	}
	return sum
}

// Counted requires the counter with these labels to have at least this value.
func Counted(found Samples, name string, labels map[string]string, least float64) error {
	for _, metric := range found[name].GetMetric() {
		if metric.GetCounter() != nil && hasLabels(metric, labels) {
			if got := metric.GetCounter().GetValue(); got < least {
				return fmt.Errorf("%s of %v: want %g, found %g", name, labels, least, got)
			}
			return nil
		}
	}
	return fmt.Errorf("%s of %v: want %g, found no such counter", name, labels, least)
}

// Gauges requires each of these metrics, by its name, to be one gauge with this value.
func Gauges(found Samples, wanted map[string]float64) error {
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

// Observations returns the number of observations of the histograms with these labels.
func (s Samples) Observations(name string, labels map[string]string) uint64 {
	var sum uint64
	for _, metric := range s[name].GetMetric() {
		if hasLabels(metric, labels) {
			sum += metric.GetHistogram().GetSampleCount()
		}
	}
	return sum
}

func hasLabels(metric *dto.Metric, wanted map[string]string) bool {
	found := map[string]string{}
	for _, label := range metric.GetLabel() {
		found[label.GetName()] = label.GetValue()
	}
	return Matches(wanted, found)
}

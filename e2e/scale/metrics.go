// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"net/http"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// families are the metrics of a program by name.
type families map[string]*dto.MetricFamily

// read reads the metrics.
func (p *process) read(ctx context.Context) (families, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.metrics, nil)
	if err != nil {
		return nil, err
	}
	response, err := p.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", p.name, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("reading the metrics of %s: %s", p.name, response.Status)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	found, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", p.name, err)
	}
	return found, nil
}

// value returns the gauge or counter with the label, or the only one if no label is given.
func (f families) value(name string, label ...string) float64 {
	for _, metric := range f[name].GetMetric() {
		if labelled(metric, label) {
			return metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
		}
	}
	return 0
}

// mean returns the mean of the observations of the histograms with the label, or 0 if there are none.
func (f families) mean(name string, label ...string) float64 {
	var sum, count float64
	for _, metric := range f[name].GetMetric() {
		if labelled(metric, label) {
			sum += metric.GetHistogram().GetSampleSum()
			count += float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return sum / max(count, 1)
}

// labelled reports whether the metric has the label, which is a name and a value or is empty.
func labelled(metric *dto.Metric, label []string) bool {
	if len(label) == 0 {
		return true
	}
	for _, pair := range metric.GetLabel() {
		if pair.GetName() == label[0] && pair.GetValue() == label[1] {
			return true
		}
	}
	return false
}

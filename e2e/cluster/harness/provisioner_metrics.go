package harness

import (
	"bytes"
	"context"
	"fmt"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Scrape reads the metrics that the provisioner serves on the port, of one of its pods.
func (p *Provisioner) Scrape(ctx context.Context, port int) (map[string]*dto.MetricFamily, error) {
	if err := p.connect(ctx); err != nil {
		return nil, err
	}
	for pod := range p.pods {
		text, err := p.s.kube.CoreV1().RESTClient().Get().Namespace(p.namespace).Resource("pods").
			Name(fmt.Sprintf("%s:%d", pod, port)).SubResource("proxy").Suffix("metrics").DoRaw(ctx)
		if err != nil {
			return nil, fmt.Errorf("reading the metrics of pod %s: %w", pod, err)
		}
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("reading the metrics of pod %s: %w", pod, err)
		}
		return families, nil
	}
	return nil, fmt.Errorf("no pod of the provisioner runs")
}

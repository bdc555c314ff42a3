// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// provisioner is a running csi-provisioner.
type provisioner struct {
	command *exec.Cmd
	metrics string
	ended   chan struct{}
}

// startProvisioner starts the program for the driver at the socket. Other flags replace the defaults.
func startProvisioner(ctx context.Context, program, socket, kubeconfig string, log io.Writer, flags ...string) (*provisioner, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	p := &provisioner{metrics: "http://" + address + "/metrics", ended: make(chan struct{})}
	p.command = exec.CommandContext(ctx, program, append([]string{
		"--csi-address=" + socket, "--kubeconfig=" + kubeconfig, "--http-endpoint=" + address,
		"--enable-capacity", "--capacity-ownerref-level=-1", "--leader-election=false", "--v=2",
	}, flags...)...)
	p.command.Env = append(os.Environ(), "NAMESPACE="+namespace, "POD_NAME=scale")
	p.command.Stdout, p.command.Stderr = log, log
	p.command.Cancel = func() error { return p.command.Process.Signal(syscall.SIGTERM) }
	p.command.WaitDelay = 10 * time.Second
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("starting csi-provisioner: %w", err)
	}
	go func() {
		defer close(p.ended)
		_ = p.command.Wait()
	}()
	return p, nil
}

// stop ends the program.
func (p *provisioner) stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(p.command.WaitDelay):
		_ = p.command.Process.Kill()
		<-p.ended
	}
}

// kill ends the program as a crash does.
func (p *provisioner) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// freeAddress returns an address of this machine that nothing listens on.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String(), nil
}

// reading is what csi-provisioner says of itself.
type reading struct {
	queue    float64 // entries of the queue of CSIStorageCapacity objects
	resident float64 // bytes of memory
}

// read reads the metrics.
func (p *provisioner) read(ctx context.Context) (reading, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.metrics, nil)
	if err != nil {
		return reading{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return reading{}, fmt.Errorf("reading the metrics of csi-provisioner: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		return reading{}, fmt.Errorf("reading the metrics of csi-provisioner: %w", err)
	}
	return reading{
		queue:    valueOf(families["workqueue_depth"], "csistoragecapacity"),
		resident: valueOf(families["process_resident_memory_bytes"], ""),
	}, nil
}

// valueOf returns the gauge of the family whose label "name" has the value, or the only one.
func valueOf(family *dto.MetricFamily, name string) float64 {
	for _, metric := range family.GetMetric() {
		if name == "" {
			return metric.GetGauge().GetValue()
		}
		for _, label := range metric.GetLabel() {
			if label.GetName() == "name" && label.GetValue() == name {
				return metric.GetGauge().GetValue()
			}
		}
	}
	return 0
}

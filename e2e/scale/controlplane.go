// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
)

// startScheduler starts kube-scheduler, without a client-side rate limit, and waits until it answers.
func (w *world) startScheduler(ctx context.Context, scoring bool) (*process, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("reading the address of kube-scheduler: %w", err)
	}
	config, certificates := filepath.Join(w.dir, "kube-scheduler.yaml"), filepath.Join(w.dir, "kube-scheduler")
	content := fmt.Appendf(nil, `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {kubeconfig: %q, qps: 10000, burst: 10000}
`, w.kubeconfig)
	if err := os.WriteFile(config, content, 0o600); err != nil {
		return nil, fmt.Errorf("writing the configuration of kube-scheduler: %w", err)
	}
	p, err := w.start(ctx, "kube-scheduler", w.programs.Scheduler,
		"--config="+config, "--bind-address=127.0.0.1", "--secure-port="+port, "--cert-dir="+certificates,
		"--authorization-always-allow-paths=/metrics", fmt.Sprintf("--feature-gates=StorageCapacityScoring=%t", scoring), "--v=2")
	if err != nil {
		return nil, err
	}
	p.metrics = "https://" + address + "/metrics"
	p.client = &http.Client{Transport: &http.Transport{DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		// The program creates its certificate when it starts.
		certificate, err := os.ReadFile(filepath.Join(certificates, "kube-scheduler.crt"))
		if err != nil {
			return nil, err
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(certificate)
		return (&tls.Dialer{Config: &tls.Config{RootCAs: roots}}).DialContext(ctx, network, address)
	}}}
	return p, w.ready(ctx, p)
}

// startBinder starts kube-controller-manager with only the controller that binds claims, without a client-side rate limit.
func (w *world) startBinder(ctx context.Context) error {
	_, err := w.start(ctx, "kube-controller-manager", w.programs.ControllerManager,
		"--kubeconfig="+w.kubeconfig, "--leader-elect=false", "--controllers=persistentvolume-binder-controller", "--secure-port=0",
		"--kube-api-qps=10000", "--kube-api-burst=10000", "--v=2")
	return err
}

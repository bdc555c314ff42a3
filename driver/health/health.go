// Package health answers the kubelet's livenessProbe over HTTP by asking the
// driver over its own socket, which otherwise the livenessprobe image does.
package health

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	// probeTimeout is how long the driver may take to answer.
	probeTimeout = 5 * time.Second
	// stopTimeout is how long requests may take to end when serving stops.
	stopTimeout = 5 * time.Second
)

// Serve answers GET /healthz on the listener until the context ends: 200 when
// the driver at the endpoint ("unix:///…") says that it is ready, and 503 with
// the reason when it does not.
func Serve(ctx context.Context, listener net.Listener, endpoint string) error {
	driver, err := grpc.NewClient(endpoint, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return errors.Join(fmt.Errorf("dialling %s: %w", endpoint, err), listener.Close())
	}
	defer func() { _ = driver.Close() }()
	identity := csi.NewIdentityClient(driver)

	routes := http.NewServeMux()
	routes.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		if err := probe(r.Context(), identity); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	})
	server := &http.Server{Handler: routes, ReadHeaderTimeout: probeTimeout}
	stopped := make(chan error, 1)
	release := context.AfterFunc(ctx, func() {
		// The context has ended; what is still being answered gets a moment of its own.
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		stopped <- server.Shutdown(stopping)
	})
	err = server.Serve(listener)
	if release() {
		return fmt.Errorf("serving /healthz on %s: %w", listener.Addr(), err)
	}
	return <-stopped
}

// probe returns why the driver is not ready, nil when it is.
func probe(ctx context.Context, identity csi.IdentityClient) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	response, err := identity.Probe(ctx, &csi.ProbeRequest{})
	if err != nil {
		return fmt.Errorf("the driver does not answer Probe: %w", err)
	}
	if ready := response.GetReady(); ready != nil && !ready.GetValue() {
		return errors.New("the driver says that it is not ready")
	}
	return nil
}

// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// Timeouts of the HTTP server.
const (
	// probeTimeout limits how long the driver may take to answer.
	probeTimeout = 5 * time.Second
	// readTimeout limits how long a request may take to arrive.
	readTimeout = 5 * time.Second
	// idleTimeout limits how long a connection waits for its next request.
	idleTimeout = time.Minute
	// stopTimeout limits how long requests may take to end when serving stops.
	stopTimeout = 5 * time.Second
)

// Serve answers two requests on the listener, which it closes, until ctx ends. GET /healthz returns 200 if the driver at
// the endpoint ("unix:///…") reports that it is ready, and otherwise 503 with the reason. GET /metrics is served by
// metrics.
func Serve(ctx context.Context, listener net.Listener, endpoint string, metrics http.Handler) error {
	connection, err := dial(endpoint)
	if err != nil {
		_ = listener.Close()
		return err
	}
	defer func() { _ = connection.Close() }()

	routes := http.NewServeMux()
	routes.Handle("GET /healthz", healthz(csi.NewIdentityClient(connection)))
	routes.Handle("GET /metrics", metrics)
	server := &http.Server{Handler: routes, ReadTimeout: readTimeout, IdleTimeout: idleTimeout}
	stopped := make(chan error, 1)
	release := context.AfterFunc(ctx, func() {
		// The context has ended; requests in progress get some time to finish.
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		stopped <- server.Shutdown(stopping)
	})
	err = server.Serve(listener)
	if release() {
		return fmt.Errorf("serving HTTP on %s: %w", listener.Addr(), err)
	}
	return <-stopped
}

func healthz(identity csi.IdentityClient) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), probeTimeout)
		defer cancel()
		if err := probe(ctx, identity); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	}
}

package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// addTo gives a command that asks a driver the flags that say where it listens.
func (e *endpoints) addTo(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&e.controller, "endpoint", "", "where the driver's Identity and Controller services listen: the path of a socket, or a gRPC `target`")
	flags.StringArrayVar(&e.nodes, "node-endpoint", nil, "where the Identity and Node services of one node listen, a `target` too; repeat it for a node in each segment")
}

// complete makes gRPC targets of paths of sockets.
func (e *endpoints) complete() (err error) {
	if e.controller, err = socketTarget(e.controller); err != nil {
		return err
	}
	nodes := make([]string, len(e.nodes))
	for i, node := range e.nodes {
		if nodes[i], err = socketTarget(node); err != nil {
			return err
		}
	}
	e.nodes = nodes
	return nil
}

// socketTarget is the gRPC target of an endpoint: the same, unless that is the path of a socket.
func socketTarget(endpoint string) (string, error) {
	if !strings.HasPrefix(endpoint, "/") && !strings.HasPrefix(endpoint, "./") && !strings.HasPrefix(endpoint, "../") {
		return endpoint, nil
	}
	path, err := filepath.Abs(endpoint)
	if err != nil {
		return "", fmt.Errorf("endpoint %q: %w", endpoint, err)
	}
	return "unix://" + path, nil
}

// moreEndpoints says in a sentence what more node endpoints would show; nothing where the run had those that it needs.
func (c *connections) moreEndpoints(r *report.ConformanceReport) string {
	nodes, segments := 0, 0 // cases that lack them
	for _, result := range r.Cases {
		switch {
		case result.Verdict != verdict.Skipped:
		case strings.Contains(result.Reason, "node endpoints, and the case needs"):
			nodes++
		case strings.Contains(result.Reason, "topology segments, and the case needs"):
			segments++
		}
	}
	skipped := nodes + segments
	switch {
	case skipped == 0:
		return ""
	case c.both:
		return fmt.Sprintf("The controller's endpoint serves the Node service too and stood for one node; with a --node-endpoint in each topology segment, up to %d more cases can be run.", skipped)
	case len(c.nodes) == 0 && segments > 0:
		return fmt.Sprintf("No node endpoint was given; with a --node-endpoint in each topology segment, up to %d more cases can be run, and up to %d of them with the segments in the profile instead.", skipped, segments)
	case len(c.nodes) == 0:
		return fmt.Sprintf("No node endpoint was given; with a --node-endpoint in each topology segment, up to %d more cases can be run, and csi-sanity.", skipped)
	default:
		return fmt.Sprintf("%d node endpoints were given; with one in each topology segment, or the segments in the profile, up to %d more cases can be run.", len(c.nodes), skipped)
	}
}

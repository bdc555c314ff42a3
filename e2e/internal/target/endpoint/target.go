// SPDX-License-Identifier: Apache-2.0

// Package endpoint connects to a CSI driver's endpoints and identifies the driver at each, before anything is created.
package endpoint

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Target returns the gRPC target of an endpoint: the endpoint itself, unless it is the path of a socket, or tcp:// with an
// address, a form that many drivers accept. Every other target has a colon, after its scheme or before its port. For a
// target that gRPC would misread, the error shows the right form.
func Target(endpoint string) (string, error) {
	scheme, rest, _ := strings.Cut(endpoint, "://")
	switch {
	case scheme == "tcp" && rest != "":
		return rest, nil
	case scheme == "unix" && !strings.HasPrefix(rest, "/"):
		return "", fmt.Errorf("endpoint %q: an absolute path follows unix://: want unix:///%s, or %s for a path in this directory", endpoint, rest, rest)
	case scheme == "dns" && !strings.Contains(rest, "/"):
		return "", fmt.Errorf("endpoint %q: between dns:// and the next slash is a name server: want dns:///%s, or %s", endpoint, rest, rest)
	}
	if endpoint == "" || strings.Contains(endpoint, ":") && !strings.HasPrefix(endpoint, "/") && !strings.HasPrefix(endpoint, ".") {
		return endpoint, nil
	}
	path, err := filepath.Abs(endpoint)
	if err != nil {
		return "", fmt.Errorf("endpoint %q: %w", endpoint, err)
	}
	return "unix://" + path, nil
}

// targets returns the gRPC targets of several endpoints.
func targets(endpoints []string) ([]string, error) {
	found := make([]string, len(endpoints))
	for i, endpoint := range endpoints {
		var err error
		if found[i], err = Target(endpoint); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// SPDX-License-Identifier: Apache-2.0

// Package endpoint connects to a CSI driver's endpoints and asks each who it is, before anything is created.
package endpoint

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Target is the gRPC target of an endpoint: the same, unless that is the path of a socket. Every other target has a colon,
// after its scheme or before its port.
func Target(endpoint string) (string, error) {
	if endpoint == "" || strings.Contains(endpoint, ":") && !strings.HasPrefix(endpoint, "/") && !strings.HasPrefix(endpoint, ".") {
		return endpoint, nil
	}
	path, err := filepath.Abs(endpoint)
	if err != nil {
		return "", fmt.Errorf("endpoint %q: %w", endpoint, err)
	}
	return "unix://" + path, nil
}

// targets are those of several endpoints.
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

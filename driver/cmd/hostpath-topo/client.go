// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"fmt"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// connect returns a client for the API server.
type connect func() (kubernetes.Interface, error)

// inCluster connects to the API server of the cluster that the process runs in.
func inCluster() (kubernetes.Interface, error) {
	config, err := rest.InClusterConfig()
	if err != nil {
		return nil, fmt.Errorf("finding the API server, for which the driver has to run in a pod: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for the API server: %w", err)
	}
	return client, nil
}

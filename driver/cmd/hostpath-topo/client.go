// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"errors"
	"fmt"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// connect returns a client for the API server that the kubeconfig file names or, if
// none is named, for the API server of the cluster that the process runs in.
type connect func(kubeconfig string) (kubernetes.Interface, error)

// toCluster connects the program to its API server.
func toCluster(kubeconfig string) (kubernetes.Interface, error) {
	config, err := restConfig(kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for the API server: %w", err)
	}
	return client, nil
}

func restConfig(kubeconfig string) (*rest.Config, error) {
	if kubeconfig != "" {
		config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
		if err != nil {
			return nil, fmt.Errorf("reading the file of --kubeconfig: %w", err)
		}
		return config, nil
	}
	config, err := rest.InClusterConfig()
	if errors.Is(err, rest.ErrNotInCluster) {
		return nil, errors.New("no API server to talk to, as this process does not run in a pod: name a cluster by --kubeconfig")
	}
	if err != nil {
		return nil, fmt.Errorf("finding the API server of the cluster: %w", err)
	}
	return config, nil
}

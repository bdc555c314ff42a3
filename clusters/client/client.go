// SPDX-License-Identifier: Apache-2.0

// Package client makes clients for clusters that goroutines can share.
package client

import (
	"k8s.io/client-go/rest"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"
)

// New returns a client of the e2e-framework. Each of its Resources has a separate namespace: in the framework's own
// client they are one object, so that a list in one namespace becomes a list in the namespace requested last.
func New(config *rest.Config) (klient.Client, error) {
	shared, err := resources.New(config)
	if err != nil {
		return nil, err
	}
	return &client{config: config, shared: *shared}, nil
}

type client struct {
	config *rest.Config
	shared resources.Resources
}

// RESTConfig returns the configuration of the client.
func (c *client) RESTConfig() *rest.Config { return c.config }

// Resources returns the resources of the namespace, or of all namespaces if none is given.
func (c *client) Resources(namespace ...string) *resources.Resources {
	own := c.shared
	if len(namespace) == 0 {
		return &own
	}
	return own.WithNamespace(namespace[0])
}

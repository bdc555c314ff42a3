// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"sync/atomic"

	"github.com/spf13/pflag"

	"github.com/csi-topo/csi-topo/driver/config"
	"github.com/csi-topo/csi-topo/driver/pool"
)

// configuration holds the content of the file --config, and follows its changes.
type configuration struct {
	path  string
	force atomic.Pointer[config.Configuration]
}

func (c *configuration) add(flags *pflag.FlagSet) {
	flags.StringVar(&c.path, "config", "",
		"YAML file with the pools and the secrets that calls must carry, read again when it changes; without it every segment has 10Gi and no call needs secrets")
}

// load reads the file for the first time.
func (c *configuration) load() error {
	loaded := config.Default()
	if c.path != "" {
		var err error
		if loaded, err = config.Load(c.path); err != nil {
			return err
		}
	}
	c.force.Store(&loaded)
	return nil
}

// capacity returns the capacity of the segments.
func (c *configuration) capacity() pool.Capacity { return c.force.Load().Capacity }

// secrets returns the secrets that the RPC requires.
func (c *configuration) secrets(rpc string) map[string]string { return c.force.Load().Secrets[rpc] }

// watch applies each later content of the file, and calls changed with its capacity, until ctx ends.
func (c *configuration) watch(ctx context.Context, changed func(pool.Capacity)) error {
	if c.path == "" {
		return nil
	}
	return config.Watch(ctx, c.path, *c.force.Load(), func(later config.Configuration) {
		c.force.Store(&later)
		changed(later.Capacity)
	})
}

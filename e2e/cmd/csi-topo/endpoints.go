// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/spf13/cobra"

// endpoints are the endpoints of one driver, as flags name them.
type endpoints struct {
	controller string
	nodes      []string
}

// addTo adds the flags for the driver's endpoints to a command.
func (e *endpoints) addTo(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&e.controller, "endpoint", "", "where the driver's Identity and Controller services listen: the path of a socket, or a gRPC `target`; leave it out for a driver with only Identity and Node, or with a controller on each node")
	flags.StringArrayVar(&e.nodes, "node-endpoint", nil, "where the Identity and Node services of one node listen: the path of a socket, or a gRPC `target`; repeat it for a node in each segment")
}

// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestCommandLine(t *testing.T) {
	command := newRootCommand()
	spec, args, err := command.Find([]string{"spec", "--profile", "my driver.yaml", "--node-endpoint", "/a", "--node-endpoint", "/b", "--focus", "^it's", "--seed", "7", "T-EQ-1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := spec.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	var got suite.Options
	nameCommand(&got, spec, spec.Flags().Args())
	again := "csi-topo spec --node-endpoint=/a --node-endpoint=/b --profile='my driver.yaml'"
	if got.Again != again || got.Command != again+` --focus='^it'\''s' --seed=7 T-EQ-1` {
		t.Errorf("got %q and %q", got.Again, got.Command)
	}
}

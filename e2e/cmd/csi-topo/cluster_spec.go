// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// examples matches the ids of the specification's examples.
const examples = "^T-"

// chosen reports whether the run is for some of the cases.
func (r clusterRun) chosen() bool {
	c := r.Cases
	return len(c.Focus)+len(c.Skip)+len(c.Requirements)+len(c.Cases) > 0 || c.Label != ""
}

// bySockets runs the spec tier on the installed driver: its sockets are available here as well, and the directories that a
// CO passes in calls to nodes are on the nodes. If the run is for some of the cases, only the specification's examples run.
func (r clusterRun) bySockets(ctx context.Context, up *environment.Environment) (err error) {
	dir, err := os.MkdirTemp("", "csi-topo-")
	if err != nil {
		return fmt.Errorf("making a directory for sockets: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	served, err := r.Serve(ctx, cluster.Cluster{REST: up.REST, WorkloadImage: up.Workload, Own: true}, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, served.Close()) }()
	described := filepath.Join(dir, "profile.yaml")
	if err := r.describeServed(described, served, up); err != nil {
		return err
	}
	cases := suite.Options{Seed: r.Cases.Seed, Shuffle: r.Cases.Shuffle, Out: r.Cases.Out, Verbose: r.Cases.Verbose, ProgressEvery: r.Cases.ProgressEvery}
	if r.Cases.ReportDir != "" {
		cases.ReportDir = filepath.Join(r.Cases.ReportDir, "sockets")
	}
	cases.Skip = []string{"^csi-sanity"} // it takes as long as all others, and does not depend on where the driver runs
	if r.chosen() {
		cases.Focus = []string{examples}
	}
	fmt.Fprintln(cases.Out, "\nthe installed driver, through its sockets")
	result, err := spec.Run(ctx, spec.Options{Profile: described, Cases: cases})
	return expected{}.ended(cases.Out, result, err)
}

// describeServed writes the profile of the driver for the spec tier: the run's profile, with the sockets, and with programs
// that create and use directories on the nodes, which are containers of the engine.
func (r clusterRun) describeServed(file string, served *cluster.Served, up *environment.Environment) error {
	text, err := profile.Text(r.described.name)
	if err != nil {
		return err
	}
	fields := map[string]any{}
	if err := yaml.Unmarshal(text, &fields); err != nil {
		return fmt.Errorf("reading the profile %s: %w", r.described.name, err)
	}
	delete(fields, "cluster") // it has paths that are relative to the file
	if size := r.described.profile.FileSystem(); size > r.described.profile.VolumeBytes {
		fields["volumeBytes"], fields["grownBytes"] = size, 2*size
	}
	var nodes []string
	for _, node := range slices.Sorted(maps.Keys(served.Nodes)) {
		nodes = append(nodes, served.Nodes[node])
	}
	fields["endpoints"] = map[string]any{"controller": served.Controller, "nodes": nodes}
	onNode := func(command string) []string {
		return append(append([]string{"env"}, up.EngineEnv()...), "sh", "-c", `exec docker exec -i -e CSI_TOPO_OFFSET -e CSI_TOPO_BYTES "$CSI_TOPO_NODE" `+command+` "$0"`)
	}
	fields["directories"] = map[string]any{
		"root":   "/var/lib/kubelet/csi-topo",
		"make":   onNode("mkdir -p"),
		"remove": onNode("rm -rf"),
		"exists": onNode(`sh -c 'test -e "$0" && echo true || echo false'`),
		"write":  onNode(`sh -c 'dd of="$0" seek="$CSI_TOPO_OFFSET" oflag=seek_bytes conv=notrunc,fsync status=none'`),
		"read":   onNode(`sh -c 'dd if="$0" skip="$CSI_TOPO_OFFSET" count="$CSI_TOPO_BYTES" iflag=skip_bytes,count_bytes status=none'`),
	}
	text, err = yaml.Marshal(fields)
	if err != nil {
		return fmt.Errorf("writing the profile for the spec tier: %w", err)
	}
	return os.WriteFile(file, text, 0o600)
}

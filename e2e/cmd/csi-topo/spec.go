// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

// specRun holds the options of one run of the spec tier.
type specRun struct {
	spec.Options
	filters filters
	expects expected
	at      endpoints
	scale   timeoutScale
	// dryRun says to run no case.
	dryRun bool
	// embedded says that the run starts the reference driver.
	embedded bool
}

func newSpecCommand() *cobra.Command {
	r := specRun{}
	command := &cobra.Command{
		Use:   "spec [CASE...]",
		Short: "Run the cases that need no cluster, over gRPC",
		Long: `Run the cases that need no cluster, or only the cases with the given ids: verify over gRPC what the CSI specification
says about topology, capacity, attaching, expansion and snapshots, and run csi-sanity in up to eight of the driver's segments.

Without endpoints, the cases run against the reference driver, started in this process with four zones and volumes in
memory. With --endpoint, or a profile that names endpoints, they run against the driver that listens there. The profile
holds everything the driver cannot report itself, such as the parameters of its volumes; ` + "`csi-topo profile check`" + ` checks it.`,
		Example: `  csi-topo spec
  csi-topo spec --endpoint /csi/controller.sock --node-endpoint /csi/node-a.sock --node-endpoint /csi/node-b.sock --report-dir _report
  csi-topo spec --profile csi.example.com.yaml --focus '^T-' --dry-run
  csi-topo spec --profile csi.example.com.yaml T-EQ-1 list_volumes_pages`,
		RunE: func(command *cobra.Command, args []string) error {
			r.filters.cases = args
			nameCommand(&r.Cases, command, args)
			printTo(command, &r.Cases)
			return r.run(command.Context())
		},
	}
	addRunFlags(command, &r.Cases)
	r.filters.addTo(command)
	r.expects.addTo(command)
	flags := command.Flags()
	flags.StringVar(&r.Profile, "profile", "", "the profile, a YAML `file` in which the vendor describes the driver")
	r.at.addTo(command)
	flags.IntVar(&r.Steps, "steps", spec.DefaultSteps, "how many requests a generated case makes")
	flags.StringVar(&r.CSI, "csi-version", "", "the `version` of the CSI specification that the driver implements, such as 1.5: what came later is not judged; the newest if it is not given")
	flags.StringVar(&r.Sanity, "csi-sanity", string(sanity.Measured), "the `segments` that csi-sanity runs in: all, first, or auto (up to eight if the driver creates a volume within 0.2 s, else the first); to leave it out, use --label '!csi-sanity'")
	addTimeoutFlags(flags, &r.Timeouts)
	r.scale.addTo(flags)
	addDryRunFlag(flags, &r.dryRun)
	flags.IntVar(&r.Parallel, "parallel", 0, "how many cases may run concurrently; by default 8, or 1 if the profile sets capacity: exact or exclusive")
	command.ValidArgsFunction = proposing(caseIDs("spec"))
	r.filters.complete(command, "spec")
	completeFlag(command, "profile", filesOr())
	completeFlag(command, "csi-version", words(requirement.Versions()...))
	completeFlag(command, "csi-sanity", words("all", "first", "auto"))
	return command
}

func (r specRun) run(ctx context.Context) (err error) {
	if err := r.check(); err != nil {
		return err
	}
	if r.embedded = r.at.controller == "" && len(r.at.nodes) == 0 && r.Profile == ""; r.embedded {
		dir, remove, failed := directoryInMemory()
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, remove()) }()
		driver, failed := embed(ctx, dir)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, driver.Stop()) }()
		r.Profile, r.Endpoint, r.Dir, r.Restart = profile.Reference, driver.Controller, dir, driver.restart
		for _, node := range driver.Nodes {
			r.NodeEndpoints = append(r.NodeEndpoints, node.Endpoint)
			r.Segments = append(r.Segments, node.Segment)
		}
	}
	if r.dryRun {
		return r.plan(ctx)
	}
	result, err := spec.Run(ctx, r.Options)
	return r.expects.ended(r.Cases.Out, result, err)
}

// check completes the options, and returns an error for a run that is impossible, before anything is changed.
func (r *specRun) check() error {
	if err := r.filters.fill(&r.Cases); err != nil {
		return err
	}
	if err := r.expects.read("spec"); err != nil {
		return err
	}
	if r.dryRun {
		r.Cases.ReportDir = ""
	}
	if r.Steps < 1 {
		return errors.New("--steps must be at least 1")
	}
	if err := r.scale.check(); err != nil {
		return err
	}
	r.TimeoutScale = float64(r.scale)
	r.Endpoint, r.NodeEndpoints = r.at.controller, r.at.nodes
	if r.Profile != "" {
		if _, err := fromFile(r.Profile); err != nil {
			return err
		}
	}
	return r.Validate()
}

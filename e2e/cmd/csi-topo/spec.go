package main

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/hook"
	"github.com/csi-topo/csi-topo/e2e/spec/sanity"
)

// specRun is what one run of the spec tier was asked for.
type specRun struct {
	options runner.Options
	filters filters
	at      endpoints
	profile string
	steps   int
}

func newSpecCommand() *cobra.Command {
	r := specRun{options: runner.Options{Tier: "spec"}}
	command := &cobra.Command{
		Use:   "spec",
		Short: "Run the cases that need no cluster, over gRPC",
		Long: `Run the cases that need no cluster: what the CSI specification says of topology, capacity, attaching and growth, asked
of a driver over gRPC, and csi-sanity once for each of its segments.

Without endpoints the driver is the reference driver, started in this process with four zones and volumes in memory.
With --endpoint, or a profile that names endpoints, it is the driver that listens there. What the driver's own answers do
not tell, such as the parameters of its volumes, is in the profile; ` + "`csi-topo profile check`" + ` says whether one is sound.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			r.options.Out = command.OutOrStdout()
			return r.run(command.Context())
		},
	}
	addRunFlags(command, &r.options)
	r.filters.addTo(command)
	flags := command.Flags()
	flags.StringVar(&r.profile, "profile", "", "what the vendor says of the driver, a YAML file")
	flags.StringVar(&r.at.controller, "endpoint", "", "where the driver's Identity and Controller services are, such as unix:///csi/csi.sock")
	flags.StringArrayVar(&r.at.nodes, "node-endpoint", nil, "where the Identity and Node services of one node are; repeat it for a node in each segment")
	flags.IntVar(&r.steps, "steps", defaultSteps, "how many requests a generated case has")
	flags.BoolVar(&r.options.Shuffle, "shuffle", false, "run all cases in an order that follows from the seed")
	return command
}

const (
	defaultSteps = 500
	// runLetters are enough for runs on one driver not to meet.
	runLetters = 8
)

func (r specRun) run(ctx context.Context) (err error) {
	if err := r.check(); err != nil {
		return err
	}
	dir, remove, err := directory()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()

	if r.at.controller == "" {
		driver, at, err := embed(ctx, dir)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, driver.Stop()) }()
		r.at = at
	}
	driver, err := connect(ctx, r.at)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.close()) }()
	target, err := r.target(driver, dir)
	if err != nil {
		return err
	}

	r.options.Describe = func(described *report.ConformanceReport) {
		driver.describe(ctx, described)
		described.Suite.Run = target.Run
	}
	finish := func() {}
	result, err := runner.Run(ctx, r.options, func() {
		suite := harness.New(target)
		spec.Register(suite)
		finish = sanity.Register(target, driver.segments(), suite.WatchForLeaks)
	})
	finish()
	if err != nil {
		return err
	}
	return ended(result)
}

// check completes what was asked for, and refuses what cannot be run before anything is changed.
func (r *specRun) check() error {
	if err := r.filters.fill(&r.options); err != nil {
		return err
	}
	if err := r.options.Validate(); err != nil {
		return err
	}
	if r.steps < 1 {
		return errors.New("--steps must be at least 1")
	}
	if r.profile != "" {
		read, err := fromFile(r.profile, "")
		if err != nil {
			return err
		}
		if r.at.controller == "" {
			r.at.controller = read.Endpoints.Controller
		}
		if len(r.at.nodes) == 0 {
			r.at.nodes = read.Endpoints.Nodes
		}
	}
	if r.at.controller == "" && (r.profile != "" || len(r.at.nodes) > 0) {
		return errors.New("there is no controller endpoint: want --endpoint, or endpoints.controller in the profile")
	}
	if r.options.Seed == 0 {
		r.options.Seed = time.Now().Unix()
	}
	return nil
}

// target is the driver as the cases know it.
func (r specRun) target(c *connections, dir string) (*harness.Target, error) {
	described, err := described(r.profile, c.name)
	if err != nil {
		return nil, err
	}
	target := &harness.Target{
		Controller: c.controller,
		Profile:    described,
		Run:        strings.ToLower(rand.Text()[:runLetters]),
		Seed:       r.options.Seed,
		Steps:      r.steps,
		Paths:      hook.Paths(described.Directories, nodeRoot(dir)),
		Exhaust:    hook.Exhauster(described.Exhaust),
		Timeouts:   harness.DefaultTimeouts(),
	}
	for _, node := range c.nodes {
		target.Nodes = append(target.Nodes, node)
	}
	return target, nil
}

// segments are where csi-sanity runs: at the first node of each segment.
func (c *connections) segments() []sanity.Segment {
	var found []sanity.Segment
	seen := map[string]bool{}
	for i, info := range c.infos {
		segment := sanity.Segment{
			Topology:   info.GetAccessibleTopology().GetSegments(),
			Controller: c.endpoints.controller,
			Node:       c.endpoints.nodes[i],
			NodeID:     info.GetNodeId(),
		}
		if name := segment.Topology.String(); !seen[name] {
			seen[name] = true
			found = append(found, segment)
		}
	}
	return found
}

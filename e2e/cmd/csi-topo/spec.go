package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/profile"
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
	// parallel is how many cases may run at once; 0 leaves it to the profile.
	parallel int
	// sanity is where csi-sanity runs.
	sanity sanity.Extent
	// timeouts are those of flags.
	timeouts profile.Timeouts
	scale    timeoutScale
	// dryRun has no case run.
	dryRun bool
}

// limits are the time limits of the run: those of flags before those of the profile.
func (r specRun) limits() profile.Timeouts {
	return r.timeouts.Or(profile.DefaultTimeouts()).Scaled(float64(r.scale))
}

func newSpecCommand() *cobra.Command {
	r := specRun{options: runner.Options{Tier: "spec"}}
	command := &cobra.Command{
		Use:   "spec",
		Short: "Run the cases that need no cluster, over gRPC",
		Long: `Run the cases that need no cluster: verify over gRPC what the CSI specification says about topology, capacity, attaching,
expansion and snapshots, and run csi-sanity in each of the driver's segments.

Without endpoints the driver is the reference driver, started in this process with four zones and volumes in memory.
With --endpoint, or a profile that names endpoints, it is the driver that listens there. What the driver does not say of
itself, such as the parameters of its volumes, goes into the profile; ` + "`csi-topo profile check`" + ` checks one.`,
		Example: `  csi-topo spec
  csi-topo spec --endpoint /csi/controller.sock --node-endpoint /csi/node-a.sock --node-endpoint /csi/node-b.sock --report-dir _report
  csi-topo spec --profile csi.example.com.yaml --focus '^T-' --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			printTo(command, &r.options)
			return r.run(command.Context())
		},
	}
	addRunFlags(command, &r.options)
	r.filters.addTo(command)
	flags := command.Flags()
	flags.StringVar(&r.profile, "profile", "", "what the vendor says of the driver, a YAML `file`")
	r.at.addTo(command)
	flags.IntVar(&r.steps, "steps", defaultSteps, "how many requests a generated case makes")
	flags.StringVar((*string)(&r.sanity), "csi-sanity", string(sanity.Measured), "`where` csi-sanity runs, among the driver's segments: all, first, or auto, which is all where the driver creates a volume within 0.2 s, and otherwise the first; to leave it out, use --label '!csi-sanity'")
	addTimeoutFlags(flags, &r.timeouts)
	r.scale.addTo(flags)
	addDryRunFlag(flags, &r.dryRun)
	flags.IntVar(&r.parallel, "parallel", 0, "how many cases may run at once; by default 8, or 1 where the profile says that capacity is exact or that the back end is the run's alone")
	flags.BoolVar(&r.options.Shuffle, "shuffle", false, "run all cases in an order that the seed decides")
	r.filters.complete(command, "spec")
	completeFlag(command, "profile", filesOr())
	completeFlag(command, "csi-sanity", words("all", "first", "auto"))
	return command
}

const (
	defaultSteps = 500
	// runLetters are enough for runs on one driver not to meet.
	runLetters = 8
	// defaultParallel spares a back end that limits how many calls it takes.
	defaultParallel = 8
)

func (r specRun) run(ctx context.Context) (err error) {
	if err := r.check(); err != nil {
		return err
	}
	if r.dryRun {
		return r.plan(ctx)
	}
	makeDirectory := directory
	if r.at.controller == "" {
		makeDirectory = directoryInMemory
	}
	dir, remove, err := makeDirectory()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()

	var segments []map[string]string // of the driver that is started here, all of whose nodes are known
	if r.at.controller == "" {
		driver, at, failed := embed(ctx, dir)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, driver.Stop()) }()
		r.at = at
		for _, node := range driver.Nodes {
			segments = append(segments, node.Segment)
		}
	}
	driver, err := connect(ctx, r.at, r.limits().Restart)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, driver.close()) }()
	target, err := r.target(driver, dir)
	if err != nil {
		return err
	}
	target.Profile.Segments = append(target.Profile.Segments, segments...)

	r.options.Describe = func(described *report.ConformanceReport) {
		driver.describe(ctx, described)
		described.Suite.Run = target.Run
	}
	finish := func() {}
	suite := harness.New(target)
	r.options.Prepare = suite.Preflight
	r.options.Chosen, r.options.Progress = suite.Choose, suite.Progress
	result, err := runner.Run(ctx, r.options, func() {
		suite.Declare(spec.Areas())
		finish = sanity.Register(suite, driver.segments(), r.sanity)
	})
	finish()
	removeLeftovers(ctx, r.options.Out, suite)
	if err != nil {
		return err
	}
	if more := driver.moreEndpoints(result); more != "" {
		fmt.Fprintf(r.options.Out, "\n%s\n", more)
	}
	return ended(result)
}

// removeLeftovers tries once more to remove what cases could not remove, after an interrupt too, and names what is left.
func removeLeftovers(ctx context.Context, out io.Writer, suite *harness.Suite) {
	removed, left := suite.RemoveLeftovers(context.WithoutCancel(ctx))
	if removed > 0 {
		fmt.Fprintf(out, "\nRemoved at the end of the run, though not after their cases: %d things\n", removed)
	}
	if len(left) > 0 {
		fmt.Fprintf(out, "\nLeft in the driver, or perhaps left, for you to remove; the names of everything that this run made begin with csi-topo-%s:\n  %s\n",
			suite.Target().Run, strings.Join(left, "\n  "))
	}
}

// check completes what was asked for, and refuses what cannot be run before anything is changed.
func (r *specRun) check() error {
	if err := r.filters.fill(&r.options); err != nil {
		return err
	}
	if r.dryRun {
		r.options.ReportDir = ""
	}
	if err := r.options.Validate(); err != nil {
		return err
	}
	if r.steps < 1 {
		return errors.New("--steps must be at least 1")
	}
	if err := r.scale.check(); err != nil {
		return err
	}
	if err := r.sanity.Check(); err != nil {
		return err
	}
	if r.parallel < 0 {
		return fmt.Errorf("--parallel is %d: want at least 1, or leave it out", r.parallel)
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
		r.timeouts = r.timeouts.Or(read.Timeouts)
	}
	if err := r.at.complete(); err != nil {
		return err
	}
	if r.at.controller == "" && (r.profile != "" || len(r.at.nodes) > 0) {
		return errors.New("there is no controller endpoint: want --endpoint, or endpoints.controller in the profile")
	}
	if r.options.Seed == 0 {
		r.options.Seed = time.Now().Unix()
	}
	return nil
}

// sideBySide is how many cases may run at once. What is on a back end, and how much room is left, can be watched to the
// byte only while nothing else runs there.
func (r specRun) sideBySide(p profile.Profile) (int, error) {
	watched := p.Capacity.Exact() || p.Exclusive
	switch {
	case !watched && r.parallel == 0:
		return defaultParallel, nil
	case watched && r.parallel > 1:
		return 0, fmt.Errorf("--parallel is %d, and the profile says that capacity is exact or that the back end is the run's alone, which cannot be watched while other cases run: leave out --parallel, or change capacity to at-least and exclusive to false", r.parallel)
	default:
		return max(r.parallel, 1), nil
	}
}

// target is the driver as the cases know it.
func (r specRun) target(c *connections, dir string) (*harness.Target, error) {
	described, err := described(r.profile, c.name)
	if err != nil {
		return nil, err
	}
	parallel, err := r.sideBySide(described)
	if err != nil {
		return nil, err
	}
	target := &harness.Target{
		Controller: c.controller,
		Profile:    described,
		Run:        strings.ToLower(rand.Text()[:runLetters]),
		Seed:       r.options.Seed,
		Steps:      r.steps,
		Parallel:   parallel,
		Paths:      hook.Paths(described.Directories, nodeRoot(dir)),
		Exhaust:    hook.Exhauster(described.Exhaust),
		Timeouts:   r.timeouts.Or(described.Timeouts).Or(profile.DefaultTimeouts()).Scaled(float64(r.scale)),
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
			Index:      i,
		}
		if name := segment.Topology.String(); !seen[name] {
			seen[name] = true
			found = append(found, segment)
		}
	}
	return found
}

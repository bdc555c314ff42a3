// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/internal/session"
	"github.com/csi-topo/csi-topo/e2e/internal/target/hook"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	// DefaultSteps is the default number of requests of a generated case.
	DefaultSteps = 500
	// DefaultParallel spares a back end that limits how many calls it takes.
	DefaultParallel = 8
)

// Options select the driver that the cases judge, and the cases that run. All but an endpoint may be left out.
type Options struct {
	// Endpoint is the address of the driver's Identity and Controller services: the path of a socket, or a gRPC target
	// such as localhost:10000. If it is empty, the profile's is used, or else the first node's: for a driver with only
	// Identity and Node, or if controllerPerNode says that each node has a controller.
	Endpoint string
	// NodeEndpoints are the addresses of the Identity and Node services, of one node or more in each topology segment.
	// If empty, the profile's are used.
	NodeEndpoints []string
	// Profile is the file in which the vendor describes the driver, or the name of a built-in profile; empty means a profile
	// that fits any driver.
	Profile string
	// Cases selects the cases, and the location of the report.
	Cases suite.Options
	// Steps is the number of requests of a generated case; DefaultSteps when 0.
	Steps int
	// Parallel is the number of cases that may run concurrently; 0 leaves it to the profile: 1 if it says that capacity is
	// exact or that the run has the back end to itself, and otherwise DefaultParallel.
	Parallel int
	// Sanity says in which of the driver's segments csi-sanity runs: all; first; or auto, which is all where the driver
	// creates a volume within 0.2 s, and otherwise the first. It is auto when empty.
	Sanity string
	// CSI is the version of the CSI specification that the driver implements, such as 1.5: newer requirements are not
	// judged. Empty means the newest version.
	CSI string
	// Timeouts override the timeouts of the profile.
	Timeouts profile.Timeouts
	// TimeoutScale multiplies every time limit; 1 when 0.
	TimeoutScale float64
	// Restart ends the driver's processes at once, as SIGKILL does, and starts them again; nil leaves it to the profile.
	Restart func(ctx context.Context) error
	// Segments are topology segments of the driver in addition to the ones that its nodes and the profile name.
	Segments []map[string]string
	// Dir is the directory for the nodes' directories; if empty, a temporary one that is removed at the end of the run.
	Dir string
}

// Validate returns an error if the options, except the endpoints, are invalid, before anything is changed. It makes the
// report directory if it does not exist.
func (o Options) Validate() error {
	if err := session.Validate(o.Cases); err != nil {
		return err
	}
	if o.CSI != "" {
		if err := requirement.CheckVersion(o.CSI); err != nil {
			return err
		}
	}
	switch {
	case o.Steps < 0:
		return fmt.Errorf("%d steps are requested: want at least 1", o.Steps)
	case o.Parallel < 0:
		return fmt.Errorf("%d concurrent cases are requested: want at least 1, or 0 to leave it to the profile", o.Parallel)
	case o.TimeoutScale < 0:
		return fmt.Errorf("the time limits are multiplied by %v: want a factor above 0", o.TimeoutScale)
	case o.Sanity == "":
		return nil
	default:
		return sanity.Extent(o.Sanity).Check()
	}
}

// completed returns the options, completed by the profile and the defaults.
func (o Options) completed() (Options, error) {
	if err := o.Validate(); err != nil {
		return o, err
	}
	if o.Profile != "" {
		read, err := profile.Load(o.Profile)
		if err != nil {
			return o, err
		}
		if o.Endpoint == "" {
			o.Endpoint = read.Endpoints.Controller
		}
		if len(o.NodeEndpoints) == 0 {
			o.NodeEndpoints = read.Endpoints.Nodes
		}
		o.Timeouts = o.Timeouts.Or(read.Timeouts)
	}
	if o.Endpoint == "" && len(o.NodeEndpoints) == 0 {
		return o, errors.New("there is no endpoint: want one where the driver listens, or endpoints.controller in the profile; or node endpoints alone for a driver without a controller, or with one on each node")
	}
	if o.Cases.Seed == 0 {
		o.Cases.Seed = time.Now().Unix()
	}
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	if o.Sanity == "" {
		o.Sanity = string(sanity.Measured)
	}
	if o.TimeoutScale == 0 {
		o.TimeoutScale = 1
	}
	if o.Cases.Out == nil {
		o.Cases.Out = io.Discard
	}
	return o, nil
}

// limits returns the time limits of the run: the options take precedence over the profile.
func (o Options) limits(of profile.Profile) profile.Timeouts {
	return o.Timeouts.Or(of.Timeouts).Or(profile.DefaultTimeouts()).Scaled(o.TimeoutScale)
}

// restart returns the function that restarts the driver; nil if neither the options nor the profile have one.
func (o Options) restart(of profile.Profile, limits profile.Timeouts) func(context.Context) error {
	if o.Restart != nil {
		return o.Restart
	}
	return hook.Restart(of.Restart, limits)
}

// described returns the profile for the driver of that name, or one that fits any driver if the options name none.
func (o Options) described(driver string) (profile.Profile, error) {
	if o.Profile == "" {
		return profile.Of(driver), nil
	}
	read, err := profile.Load(o.Profile)
	if err != nil {
		return profile.Profile{}, err
	}
	if read.Driver != driver {
		return profile.Profile{}, fmt.Errorf("the profile %s is for driver %q, and the endpoints belong to %q: use endpoints and a profile of the same driver", o.Profile, read.Driver, driver)
	}
	return read, nil
}

// sideBySide returns the number of cases that may run at once. The objects and the room of a back end can be watched to the
// byte only while nothing else runs there.
func (o Options) sideBySide(p profile.Profile) (int, error) {
	watched := p.Capacity.Exact() || p.Exclusive
	switch {
	case !watched && o.Parallel == 0:
		return DefaultParallel, nil
	case watched && o.Parallel > 1:
		return 0, fmt.Errorf("%d concurrent cases are requested, and the profile says that capacity is exact or that the run has the back end to itself, which cannot be watched while other cases run: request one, or change capacity to at-least and exclusive to false", o.Parallel)
	default:
		return max(o.Parallel, 1), nil
	}
}

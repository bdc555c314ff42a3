// SPDX-License-Identifier: Apache-2.0

package environment

import (
	"fmt"
	"io"
	"regexp"

	"github.com/csi-topo/csi-topo/clusters/cache"
	"github.com/csi-topo/csi-topo/clusters/engine"
	"github.com/csi-topo/csi-topo/clusters/install"
	"github.com/csi-topo/csi-topo/clusters/layout"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

// DefaultName is the default name of a cluster.
const DefaultName = "csi-topo"

// Free disk space that a run needs, in bytes: to build images without a cache, and to run a cluster of existing images.
const (
	freeToBuild = 15 << 30
	freeToRun   = 4 << 30
)

// Options describes an environment.
type Options struct {
	// Name of the cluster; empty means DefaultName, or a new name if that is in use.
	Name string
	// Layout is the name of a known layout, or a file.
	Layout string
	// Kubernetes is the minor, such as "1.36".
	Kubernetes string
	// Images is the name of a nodeimage.Mode.
	Images string
	// Prefix is the registry, and the path there, from which published images are pulled; empty means their own registries.
	Prefix string
	// Driver is the driver to install.
	Driver install.Driver
	// Source is the directory of this module, which images are built from.
	Source string
	// Out receives progress.
	Out io.Writer
}

// plan holds the checked Options.
type plan struct {
	Options
	layout *layout.Layout
	mode   nodeimage.Mode
	cache  cache.Dir
}

// nameForm is the form that kind accepts for a cluster's name, short enough for a node's
// host name.
var nameForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,38}[a-z0-9])?$`)

// Check returns an error if the options are invalid. It changes nothing.
func (o Options) Check() error {
	_, err := o.check()
	return err
}

// check checks everything that can be checked without changing anything.
func (o Options) check() (*plan, error) {
	p, err := o.checkName()
	if err != nil {
		return nil, err
	}
	if p.layout, err = layout.Load(o.Layout); err != nil {
		return nil, err
	}
	if p.mode, err = nodeimage.ParseMode(o.Images); err != nil {
		return nil, err
	}
	if err := nodeimage.CheckMinor(o.Kubernetes); err != nil {
		return nil, err
	}
	if err := nodeimage.CheckPrefix(o.Prefix); err != nil {
		return nil, err
	}
	if err := o.Driver.Check(); err != nil {
		return nil, err
	}
	return p, p.checkDisk()
}

// checkName checks the options that deleting a cluster needs.
func (o Options) checkName() (p *plan, err error) {
	if o.Name != "" && !nameForm.MatchString(o.Name) {
		return nil, fmt.Errorf("cluster name %q: want at most 40 lower-case letters, digits, '.' and '-', with a letter or digit at both ends", o.Name)
	}
	p = &plan{Options: o, layout: &layout.Layout{}}
	if p.cache, err = cache.Default(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *plan) checkDisk() error {
	need := int64(freeToBuild)
	if p.cache.Has("rootfs", "") && p.cache.Has("programs", "") {
		need = freeToRun
	}
	return engine.CheckDisk(p.cache.Path(), need)
}

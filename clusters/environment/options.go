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

// DefaultName is the name of a cluster that was given none.
const DefaultName = "csi-topo"

// Free disk that a run needs, in bytes: to build images from nothing, and to run a
// cluster of images that are there.
const (
	freeToBuild = 15 << 30
	freeToRun   = 4 << 30
)

// Options describes an environment.
type Options struct {
	// Name of the cluster; empty means DefaultName, or one of its own when that is in use.
	Name string
	// Layout is a known layout's name or a file.
	Layout string
	// Kubernetes is the minor, such as "1.36".
	Kubernetes string
	// Images says where images come from.
	Images string
	// Prefix is the registry, and the path there, that published images are pulled from
	// instead of from their own; empty pulls them from their own.
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

// Check explains why these options cannot be carried out, and changes nothing.
func (o Options) Check() error {
	_, err := o.check()
	return err
}

// check changes nothing: whatever can be refused is refused here.
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

// checkName checks as much as deleting a cluster needs.
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

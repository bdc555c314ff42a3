// SPDX-License-Identifier: Apache-2.0

package environment

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/clusters/install"
)

// workloadImage is the name in manifests for the image of the cases' pods, if a driver's
// pods run it too.
const workloadImage = "csi-topo-workload"

// checkInstalled returns an error, before anything is created, if the driver is installed in the cluster in another way,
// or if a new cluster would have no driver.
func (e *Environment) checkInstalled() error {
	driver := e.plan.Driver
	if !e.Reused && !driver.Installs() {
		return fmt.Errorf("nothing says how driver %s is installed, and cluster %s does not exist yet: add cluster.install to the profile, or name a cluster that has the driver by --kubeconfig", driver.Name, e.Name)
	}
	if !e.Reused {
		return nil
	}
	if err := driver.CheckSame(e.dir()); err != nil {
		return fmt.Errorf("cluster %s cannot be used: %w: choose another cluster with --name, or delete it with `make cluster-down NAME=%s`", e.Name, err, e.Name)
	}
	return nil
}

func (e *Environment) installDriver(ctx context.Context) error {
	driver := e.plan.Driver
	images := maps.Clone(e.images.Programs)
	images[workloadImage] = e.images.Workload
	objects, err := driver.Objects(!e.images.Built, images)
	if err != nil {
		return err
	}
	if err := e.loadImages(ctx, objects); err != nil {
		return err
	}
	return e.Progress.Step(ctx, "installing driver "+driver.Name, func(ctx context.Context, log io.Writer) error {
		if err := driver.Record(e.dir()); err != nil {
			return err
		}
		if err := install.Apply(ctx, e.Client, objects); err != nil {
			return err
		}
		if len(driver.Command) > 0 {
			if err := driver.Run(ctx, e.Kubeconfig, log); err != nil {
				return err
			}
		}
		return driver.WaitForDriver(ctx, e.Client, objects)
	})
}

// loadImages loads the images of the pods of the driver and of cases into the nodes: sidecars where the objects run them,
// or everywhere if a command creates the objects.
func (e *Environment) loadImages(ctx context.Context, objects []*unstructured.Unstructured) error {
	everyNode, controlPlane := slices.Concat(paths(e.images.EveryNode), e.plan.Driver.Archives), []string(nil)
	for _, archive := range e.images.Sidecars {
		place := install.PlaceOf(objects, archive.Images)
		switch {
		case place == install.EveryNode || len(objects) == 0:
			everyNode = append(everyNode, archive.Path)
		case place == install.ControlPlane:
			controlPlane = append(controlPlane, archive.Path)
		}
	}
	return e.Progress.Step(ctx, "loading images into the nodes", func(ctx context.Context, log io.Writer) error {
		cluster := e.logged(log)
		if err := cluster.LoadArchives(ctx, true, controlPlane...); err != nil {
			return err
		}
		return cluster.LoadArchives(ctx, false, everyNode...)
	})
}

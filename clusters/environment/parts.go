// SPDX-License-Identifier: Apache-2.0

package environment

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/clusters/progress"
)

// EnsureImages builds or pulls the images of a cluster, without creating one.
func EnsureImages(ctx context.Context, o Options) error {
	return o.withEngine(ctx, func(e *Environment) error {
		images, err := e.builder().Ensure(ctx, o.Kubernetes, e.plan.mode, nil)
		if err != nil {
			return err
		}
		e.Progress.Printf("images of Kubernetes %s are in %s; the node is %s", o.Kubernetes, e.plan.cache.Path("images"), images.Node)
		return nil
	})
}

// PushWorkload builds the image that the cases' pods run, and pushes it under the name, for existing clusters.
func PushWorkload(ctx context.Context, o Options, reference string) error {
	if err := nodeimage.CheckReference(reference); err != nil {
		return err
	}
	return o.withEngine(ctx, func(e *Environment) error {
		if err := e.builder().PushWorkload(ctx, o.Kubernetes, e.plan.mode, reference); err != nil {
			return err
		}
		e.Progress.Printf("%s can be passed to --workload-image", reference)
		return nil
	})
}

// PushProgram builds the image of a driver's program, which has the name of its directory, and pushes it under the name.
func PushProgram(ctx context.Context, o Options, program nodeimage.Program, reference string) error {
	if err := nodeimage.CheckReference(reference); err != nil {
		return err
	}
	return o.withEngine(ctx, func(e *Environment) error {
		if err := e.builder().PushProgram(ctx, o.Kubernetes, e.plan.mode, program, reference); err != nil {
			return err
		}
		e.Progress.Printf("%s is the image of %s", reference, program.Dir)
		return nil
	})
}

// PushSuite builds the image of csi-topo itself, and pushes it under the name, for a Job in existing clusters. It needs
// no container engine.
func PushSuite(ctx context.Context, o Options, reference string) error {
	if err := nodeimage.CheckReference(reference); err != nil {
		return err
	}
	p, err := o.check()
	if err != nil {
		return err
	}
	b := nodeimage.Builder{Source: p.Source, Cache: p.cache, Progress: progress.New(p.Out, p.cache.Path("logs", "images"))}
	if err := b.PushSuite(ctx, reference); err != nil {
		return err
	}
	b.Progress.Printf("%s can be passed to csi-topo job --image", reference)
	return nil
}

// LoadSuite builds the image of csi-topo itself, loads it into the nodes of the control plane, and returns its name.
func (e *Environment) LoadSuite(ctx context.Context) (string, error) {
	archive, err := e.builder().Suite(ctx)
	if err != nil {
		return "", err
	}
	return archive.Images[0], e.Progress.Step(ctx, "loading "+archive.Images[0], func(ctx context.Context, log io.Writer) error {
		return e.logged(log).LoadArchives(ctx, true, archive.Path)
	})
}

// withEngine calls do with a container engine, but without a cluster.
func (o Options) withEngine(ctx context.Context, do func(*Environment) error) error {
	p, err := o.check()
	if err != nil {
		return err
	}
	e, err := begin(ctx, p)
	if err != nil {
		return err
	}
	return errors.Join(do(e), e.close(ctx))
}

// Remove deletes the cluster of the given name, which no run may be using. It succeeds
// if the cluster does not exist.
func Remove(ctx context.Context, o Options) error {
	p, err := o.checkName()
	if err != nil {
		return err
	}
	e, err := begin(ctx, p)
	if err != nil {
		return err
	}
	if e.Name != o.Name {
		return errors.Join(fmt.Errorf("cluster %s is in use by another run: wait for it, or stop it", o.Name), e.close(ctx))
	}
	e.images = &nodeimage.Images{}
	e.cluster = e.describe(e.images)
	return e.Down(ctx, false)
}

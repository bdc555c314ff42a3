package environment

import (
	"context"
	"errors"
	"fmt"

	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

// EnsureImages makes or fetches the images of a cluster, and makes no cluster.
func EnsureImages(ctx context.Context, o Options) error {
	p, err := o.check()
	if err != nil {
		return err
	}
	e, err := begin(ctx, p)
	if err != nil {
		return err
	}
	images, err := e.builder().Ensure(ctx, o.Kubernetes, p.mode, nil)
	if err == nil {
		e.Progress.Printf("images of Kubernetes %s are in %s; the node is %s", o.Kubernetes, p.cache.Path("images"), images.Node)
	}
	return errors.Join(err, e.close(ctx))
}

// PushWorkload makes the image that the cases' pods run, and pushes it under the name, for
// clusters that others use.
func PushWorkload(ctx context.Context, o Options, reference string) error {
	if err := nodeimage.CheckReference(reference); err != nil {
		return err
	}
	p, err := o.check()
	if err != nil {
		return err
	}
	e, err := begin(ctx, p)
	if err != nil {
		return err
	}
	err = e.builder().PushWorkload(ctx, o.Kubernetes, p.mode, reference)
	if err == nil {
		e.Progress.Printf("%s is what --workload-image names", reference)
	}
	return errors.Join(err, e.close(ctx))
}

// Remove deletes the cluster of the given name, which no run may be using. That it is
// not there is no error.
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

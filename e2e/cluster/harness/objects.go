// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/e2e-framework/klient/k8s"
	"sigs.k8s.io/e2e-framework/klient/k8s/resources"
)

// Reread updates an object from the API server.
func (s *Scenario) Reread(ctx context.Context, object k8s.Object) error {
	if err := s.Resources().Get(ctx, object.GetName(), object.GetNamespace(), object); err != nil {
		return fmt.Errorf("reading %T %s: %w", object, object.GetName(), err)
	}
	return nil
}

// Look rereads the object and then judges it.
func (s *Scenario) Look(object k8s.Object, judge func() error) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := s.Reread(ctx, object); err != nil {
			return err
		}
		return judge()
	}
}

// Patch merges the change into the object.
func (s *Scenario) Patch(ctx context.Context, object k8s.Object, change any) error {
	data, err := json.Marshal(change)
	if err != nil {
		return fmt.Errorf("writing a change of %T %s: %w", object, object.GetName(), err)
	}
	return s.Resources().Patch(ctx, object, k8s.Patch{PatchType: types.MergePatchType, Data: data})
}

// Delete deletes an object at once, if it exists.
func (s *Scenario) Delete(ctx context.Context, object k8s.Object) error {
	err := s.Resources().Delete(ctx, object, resources.WithGracePeriod(0))
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting %T %s: %w", object, object.GetName(), err)
	}
	return nil
}

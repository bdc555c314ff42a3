// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/e2e-framework/klient"
	"sigs.k8s.io/yaml"
)

// Kind is a kind of objects in the evidence of a failed case.
type Kind struct {
	Group, Kind string
	// Namespace is their namespace; empty for all.
	Namespace string
	// Keep reports whether an object matters to the case; nil keeps all.
	Keep func(*unstructured.Unstructured) bool
}

// Objects returns the objects of the kinds as YAML. The error names the kinds that could not be read.
func Objects(ctx context.Context, client klient.Client, kinds ...Kind) ([]byte, error) {
	var text bytes.Buffer
	var problems []error
	for _, kind := range kinds {
		problems = append(problems, kind.write(ctx, client, &text))
	}
	return text.Bytes(), errors.Join(problems...)
}

// write writes the objects of the kind, without managed fields.
func (k Kind) write(ctx context.Context, client klient.Client, text *bytes.Buffer) error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(schema.GroupVersionKind{Group: k.Group, Version: "v1", Kind: k.Kind})
	if err := client.Resources(k.Namespace).List(ctx, list); err != nil {
		return fmt.Errorf("listing objects of kind %s: %w", k.Kind, err)
	}
	for _, object := range list.Items {
		if k.Keep != nil && !k.Keep(&object) {
			continue
		}
		object.SetManagedFields(nil)
		written, err := yaml.Marshal(object.Object)
		if err != nil {
			return fmt.Errorf("writing %s %s: %w", k.Kind, object.GetName(), err)
		}
		text.WriteString("---\n")
		text.Write(written)
	}
	return nil
}

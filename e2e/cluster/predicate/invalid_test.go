// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestInvalidIn(t *testing.T) {
	const constraints = "spec.topologySpreadConstraints"
	pods := schema.GroupResource{Resource: "pods"}
	invalid := func(at *field.Path) error {
		return apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, "pod", field.ErrorList{field.Invalid(at, 0, "must be greater than 0")})
	}
	for _, test := range []struct {
		name            string
		given           error
		holds, mismatch bool
	}{
		{"invalid for a field below it", invalid(field.NewPath("spec", "topologySpreadConstraints").Index(0).Child("maxSkew")), true, false},
		{"taken", nil, false, true},
		{"invalid for another field", invalid(field.NewPath("spec", "nodeName")), false, false},
		{"invalid for no field", apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, "pod", nil), false, false},
		{"forbidden", apierrors.NewForbidden(pods, "pod", errors.New("exceeded quota of spec.topologySpreadConstraints")), false, false},
		{"no answer", errors.New("connection refused"), false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := InvalidIn(constraints, "a pod", test.given)
			if (err == nil) != test.holds || IsMismatch(err) != test.mismatch {
				t.Errorf("got %v, want it to hold: %t, to be a mismatch: %t", err, test.holds, test.mismatch)
			}
		})
	}
}

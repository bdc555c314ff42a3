// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// InvalidIn requires the API server to have refused an object as invalid, because of this field or of one below it. A
// refusal for another reason proves nothing about the field.
func InvalidIn(field, what string, answer error) error {
	if answer == nil {
		return mismatch("answer to "+what, "Invalid, for "+field, "OK")
	}
	var status apierrors.APIStatus
	if apierrors.IsInvalid(answer) && errors.As(answer, &status) && status.Status().Details != nil {
		for _, cause := range status.Status().Details.Causes {
			if strings.HasPrefix(cause.Field, field) {
				return nil
			}
		}
	}
	return fmt.Errorf("%s was refused, and not as invalid for %s: %w", what, field, answer)
}

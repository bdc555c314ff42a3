// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// keep says when the cluster of a run stays.
type keep string

const (
	keepNever     keep = "never"
	keepOnFailure keep = "on-failure"
	keepAlways    keep = "always"
)

func keepValues() []string {
	return []string{string(keepNever), string(keepOnFailure), string(keepAlways)}
}

// String, Set and Type make it a flag's value.
func (k *keep) String() string { return string(*k) }

// Set takes one of keepValues.
func (k *keep) Set(given string) error {
	if !slices.Contains(keepValues(), given) {
		return fmt.Errorf("want %s", strings.Join(keepValues(), ", "))
	}
	*k = keep(given)
	return nil
}

// Type is how the help names the value.
func (k *keep) Type() string { return strings.Join(keepValues(), "|") }

// after says whether the cluster of a run that ended with the error stays. One that was interrupted goes, unless it was to
// stay in any case.
func (k *keep) after(ctx context.Context, err error) bool {
	return *k == keepAlways || *k == keepOnFailure && err != nil && ctx.Err() == nil
}

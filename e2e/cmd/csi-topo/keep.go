// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// keep says when to keep the cluster of a run.
type keep string

const (
	keepNever     keep = "never"
	keepOnFailure keep = "on-failure"
	keepAlways    keep = "always"
)

func keepValues() []string {
	return []string{string(keepNever), string(keepOnFailure), string(keepAlways)}
}

// String returns the value of the flag.
func (k *keep) String() string { return string(*k) }

// Set takes one of keepValues.
func (k *keep) Set(given string) error {
	if !slices.Contains(keepValues(), given) {
		return fmt.Errorf("want %s", strings.Join(keepValues(), ", "))
	}
	*k = keep(given)
	return nil
}

// Type returns the possible values, for the help.
func (k *keep) Type() string { return strings.Join(keepValues(), "|") }

// after reports whether to keep the cluster of a run that ended with the error. After an interrupt it is removed,
// unless it is always kept.
func (k *keep) after(ctx context.Context, err error) bool {
	return *k == keepAlways || *k == keepOnFailure && err != nil && ctx.Err() == nil
}

// SPDX-License-Identifier: Apache-2.0

// Package preflight finds problems that would make every case inconclusive, before the first case: a driver that is not
// installed, a profile of another driver, missing rights, too few zones, an image that nodes cannot pull. It changes only
// its own namespace, and depends on no case.
package preflight

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// answerWithin is the time limit for all checks together, except the check of the image.
const answerWithin = time.Minute

// Own checks a cluster that the run created: whether the profile describes the installed driver.
func Own(ctx context.Context, t *harness.Target) error {
	kube, err := client(t)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	_, err = described(ctx, kube, t)
	return err
}

// Shared checks a cluster that others may use too.
func Shared(ctx context.Context, t *harness.Target) error {
	kube, err := client(t)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if err := rights(limited, kube, t); err != nil {
		return err
	}
	zones, err := described(limited, kube, t)
	if err != nil {
		return err
	}
	if err := enough(t, zones); err != nil {
		return err
	}
	return image(ctx, kube, t.WorkloadImage, zones)
}

// described looks for the profile's driver, and returns its zones.
func described(ctx context.Context, kube kubernetes.Interface, t *harness.Target) (map[string][]string, error) {
	zones, err := driver(ctx, kube, t)
	if err != nil {
		return nil, err
	}
	return zones, errors.Join(
		socket(ctx, kube, "controller", t.Controller),
		socket(ctx, kube, "node", t.Node))
}

func client(t *harness.Target) (kubernetes.Interface, error) {
	config := rest.CopyConfig(t.REST)
	config.QPS = -1 // dozens of requests, once
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("preparing a client: %w", err)
	}
	return kube, nil
}

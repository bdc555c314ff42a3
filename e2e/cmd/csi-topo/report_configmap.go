// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/e2e/internal/job"
)

// keptWithin is the time limit for writing a report to its ConfigMap, also after an interrupt.
const keptWithin = 30 * time.Second

// keeper checks that the requested ConfigMap may be written, and returns a function that writes the report to it. Without a
// requested ConfigMap, the function does nothing.
func (r clusterRun) keeper(ctx context.Context) (keep func(context.Context) error, err error) {
	if r.reportMap == "" {
		return func(context.Context) error { return nil }, nil
	}
	config, err := r.Connect(ctx)
	if err != nil {
		return nil, err
	}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("preparing a client: %w", err)
	}
	keeper, err := job.NewKeeper(kube, r.reportMap)
	if err != nil {
		return nil, err
	}
	if err := keeper.Check(ctx); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keptWithin)
		defer cancel()
		tooLarge, err := keeper.Keep(ctx, r.Cases.ReportDir)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.Cases.Out, "report in the ConfigMap %s\n", r.reportMap)
		if len(tooLarge) > 0 {
			fmt.Fprintf(r.Cases.Out, "too large for a ConfigMap: %s; mount a volume at --report-dir to keep them\n", strings.Join(tooLarge, ", "))
		}
		return nil
	}, nil
}

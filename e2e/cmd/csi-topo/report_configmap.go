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

// keptWithin limits how long it takes to write a report to its ConfigMap, also for a run that was interrupted.
const keptWithin = 30 * time.Second

// keeper returns a function that leaves the report in the requested ConfigMap, once it has checked that this is
// allowed; the function does nothing if none was requested.
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

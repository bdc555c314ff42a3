// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
	edge "github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// Guest is csi-sanity as a guest of the spec tier. It runs in the segments that Extent selects.
type Guest struct {
	Tier     *harness.Suite
	Segments []Segment
	Extent   Extent

	listed map[string]suite.Listed
	why    string // the reason if csi-sanity does not run; empty if it does
}

// List returns csi-sanity's cases in the order of their declaration. If it cannot run, it returns one case with the reason.
func (g *Guest) List(ctx context.Context) ([]suite.Listed, error) {
	g.listed = map[string]suite.Listed{}
	specs, err := edge.Preview(ctx, func() { declare(ctx, g.Tier, g.Segments, g.Extent, nil) })
	var unavailable edge.Unavailable
	switch {
	case errors.As(err, &unavailable):
		g.why = unavailable.Error()
	case err == nil && len(g.Segments) == 0:
		g.why = missing
	}
	if g.why != "" {
		alone := suite.NewListed("sanity", Label, "runs csi-sanity", []string{Label, caseLabel + "sanity"})
		g.listed[alone.ID] = alone
		return []suite.Listed{alone}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing csi-sanity's cases: %w", err)
	}
	all := make([]suite.Listed, 0, len(specs))
	for _, spec := range specs {
		c := listedOf(spec)
		g.listed[c.ID] = c
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b suite.Listed) int { // Ginkgo shuffles the segments
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), strings.Compare(a.ID, b.ID))
	})
	return all, nil
}

// Run runs the cases with the ids in Ginkgo, one at a time.
func (g *Guest) Run(ctx context.Context, ids []string, watch suite.Watcher) {
	if only, alone := g.listed["sanity"]; alone {
		watch.Begin(only.ID)
		watch.End(suite.Result{Listed: only, Verdict: suite.Skipped, DecidedBy: suite.ByEnvironment, Reason: g.why})
		return
	}
	labels := make([]string, 0, len(ids))
	for _, id := range ids {
		labels = append(labels, caseLabel+id)
	}
	var runs []*run
	finish := func(context.Context) {}
	err := edge.Run(ctx, func() { runs, finish = declare(ctx, g.Tier, g.Segments, g.Extent, watch) }, labels, func(spec types.SpecReport) {
		if result, ran := g.resultOf(ctx, runs, spec); ran && slices.Contains(ids, result.ID) {
			watch.End(result)
		}
	})
	finish(ctx)
	if err != nil && ctx.Err() == nil {
		for _, id := range ids {
			watch.End(suite.Unrun(g.listed[id], err.Error()))
		}
	}
}

// resultOf returns the result of a spec, if it began.
func (g *Guest) resultOf(ctx context.Context, runs []*run, spec types.SpecReport) (result suite.Result, ran bool) {
	id := idOf(spec)
	began := spec.State != types.SpecStateSkipped || spec.Failure.Message != ""
	for _, r := range runs {
		if g.listed[id].Area != areaOf(r.segment) || !began {
			continue
		}
		said := r.spec
		if spec.State == types.SpecStatePending {
			said = &edge.Spec{}
		}
		if said == nil {
			return result, false
		}
		said.Ended(spec)
		if ctx.Err() != nil {
			said.Cut()
		} else {
			said.Waive(id, nil, g.Tier.Target().Profile.SetsAside())
		}
		result = said.Result(g.listed[id], nil)
		result.Took = spec.RunTime.Round(time.Microsecond)
		return result, true
	}
	return result, false
}

// listedOf returns the case of a spec: its text does not repeat the id, and names its container in csi-sanity.
func listedOf(spec types.SpecReport) suite.Listed {
	id := idOf(spec)
	within := spec.ContainerHierarchyTexts
	texts := append(slices.Clone(within[1:]), strings.TrimPrefix(spec.LeafNodeText, id+" "))
	text := strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), " ")
	labels := slices.DeleteFunc(spec.Labels(), func(label string) bool { return label == "Serial" }) // Ginkgo's own
	return suite.NewListed(id, within[0], text, labels).Named(spec.FullText())
}

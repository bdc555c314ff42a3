// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2/reporters"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// stage is a tier whose cases need no scenario.
type stage struct {
	cleanUp func(ctx context.Context) // nil removes nothing
}

func (stage) Open(context.Context, suite.Case[any]) any { return nil }

func (stage) Perform(ctx context.Context, c suite.Case[any], t any) { c.Run(ctx, t) }

func (s stage) CleanUp(ctx context.Context, _ any, _ *suite.Outcome) {
	if s.cleanUp != nil {
		s.cleanUp(ctx)
	}
}

// body is the body of a case of a sample; nil passes.
type body func(ctx context.Context)

// bodies returns a body for each verdict.
func bodies() map[suite.Verdict]body {
	return map[suite.Verdict]body{
		suite.Passed:  func(ctx context.Context) { suite.Evidence(ctx, "zone", "Z2") },
		suite.Warned:  func(ctx context.Context) { suite.Warn(ctx, "TR-01", "took 9 s") },
		suite.Failed:  func(context.Context) { suite.Fail("TR-01", "asked for Z2, got Z3") },
		suite.Errored: func(context.Context) { suite.CouldNotTell("the watch broke") },
		suite.Skipped: func(context.Context) { suite.Skip(suite.ByCapability, "no snapshots") },
	}
}

// sample returns a session with the cases T-1, "goes near", and T-2, "goes far", one for each body.
func sample(o suite.Options, of ...body) Session[any] {
	area := suite.Area[any]{Name: "placement"}
	for i, run := range of {
		c := suite.Case[any]{ID: []string{"T-1", "T-2"}[i], Text: []string{"goes near", "goes far"}[i], Requirements: []string{[]string{"TR-01", "TR-02"}[i]}}
		c.Run = func(ctx context.Context, _ any) {
			if run != nil {
				run(ctx)
			}
		}
		area.Cases = append(area.Cases, c)
	}
	return Session[any]{
		Tier: "spec", Options: o, Areas: []suite.Area[any]{area},
		Prepare: func(_ context.Context, r *suite.Runner[any]) error {
			r.Stage, r.CleanUp = stage{}, time.Minute
			return nil
		},
		Describe: func(_ context.Context, r *report.ConformanceReport) { r.Driver.Name = "sample" },
	}
}

// written reads the report and the JUnit report of a directory.
func written(t *testing.T, dir string) (r report.ConformanceReport, j reporters.JUnitTestSuites) {
	t.Helper()
	decoder := yaml.NewDecoder(bytes.NewReader(read(t, dir, "report.yaml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(read(t, dir, "junit.xml"), &j); err != nil {
		t.Fatal(err)
	}
	return r, j
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

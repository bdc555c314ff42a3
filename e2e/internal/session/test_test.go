// SPDX-License-Identifier: Apache-2.0

package session

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// goTest runs a test in this process like `go test -v`, with the value for -run, and returns the results of the test and
// its subtests, such as "PASS TestDriver/T-1", and everything that was printed.
func goTest(t *testing.T, run string, test func(t *testing.T)) (ended []string, printed string) {
	t.Helper()
	for name, value := range map[string]string{"test.run": run, "test.skip": "", "test.v": "true", "test.count": "1", "test.timeout": "10m", "test.failfast": "false"} {
		was := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		defer flag.Set(name, was) //nolint:errcheck // it was that before
	}
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	stdout := os.Stdout
	os.Stdout = out
	defer func() { os.Stdout = stdout }()
	testing.RunTests(regexp.MatchString, []testing.InternalTest{{Name: "TestDriver", F: test}})
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`--- (PASS|FAIL|SKIP): (\S+)`).FindAllStringSubmatch(string(text), -1) {
		ended = append(ended, found[1]+" "+found[2])
	}
	return ended, string(text)
}

func TestSubtestsOfCases(t *testing.T) {
	for _, c := range []struct {
		name          string
		run           string
		cases         []string
		first, second body
		want          []string
		says          string
	}{
		{"pass and fail", "TestDriver", nil, bodies()[suite.Passed], bodies()[suite.Failed],
			[]string{"FAIL TestDriver", "PASS TestDriver/T-1", "FAIL TestDriver/T-2"}, "fail: goes far\n        asked for Z2, got Z3"},
		{"an error", "TestDriver", nil, bodies()[suite.Errored], bodies()[suite.Passed],
			[]string{"FAIL TestDriver", "FAIL TestDriver/T-1", "PASS TestDriver/T-2"}, "error: goes near\n        the watch broke"},
		{"a warning and a skip", "TestDriver", nil, bodies()[suite.Warned], bodies()[suite.Skipped],
			[]string{"PASS TestDriver", "PASS TestDriver/T-1", "SKIP TestDriver/T-2"}, "capability: no snapshots"},
		{"one of both", "TestDriver/T-1$", nil, bodies()[suite.Warned], bodies()[suite.Failed], []string{"PASS TestDriver", "PASS TestDriver/T-1"}, "warn: goes near\n        took 9 s"},
		{"one that the options choose", "TestDriver", []string{"T-2"}, bodies()[suite.Passed], bodies()[suite.Failed], []string{"FAIL TestDriver", "FAIL TestDriver/T-2"}, "fail: goes far"},
		{"nothing exercised", "TestDriver", nil, bodies()[suite.Skipped], bodies()[suite.Skipped],
			[]string{"FAIL TestDriver", "SKIP TestDriver/T-1", "SKIP TestDriver/T-2"}, "no case was exercised"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var limit time.Duration
			ended, printed := goTest(t, c.run, func(t *testing.T) {
				result := Test(t, suite.Options{Seed: 7, Cases: c.cases}, func(ctx context.Context, o suite.Options, only func(id string) bool) (*report.ConformanceReport, error) {
					if end, limited := ctx.Deadline(); limited {
						limit = time.Until(end)
					}
					s := sample(o, c.first, c.second)
					s.Only = only
					return s.Run(ctx)
				})
				if len(result.Cases) != 2 {
					t.Errorf("want the report of 2 cases, got %+v", result)
				}
			})
			if diff := cmp.Diff(c.want, ended); diff != "" {
				t.Errorf("tests (-want +got):\n%s", diff)
			}
			if !strings.Contains(printed, c.says) || !strings.Contains(printed, "csi-topo spec: ") {
				t.Errorf("want %q and the output of the run in:\n%s", c.says, printed)
			}
			if limit <= 8*time.Minute || limit > 9*time.Minute {
				t.Errorf("want the run to end after 9 of 10 minutes, got %s", limit)
			}
		})
	}
}

func TestASessionThatCouldNotRunFailsTheTest(t *testing.T) {
	ended, printed := goTest(t, "", func(t *testing.T) {
		Test(t, suite.Options{}, func(context.Context, suite.Options, func(string) bool) (*report.ConformanceReport, error) {
			return nil, errors.New("no cluster")
		})
	})
	if diff := cmp.Diff([]string{"FAIL TestDriver"}, ended); diff != "" || !strings.Contains(printed, "no cluster") {
		t.Errorf("want the test failed with the cause, got %q and:\n%s", ended, printed)
	}
}

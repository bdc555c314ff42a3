// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// junitSuites is the root of junit.xml, in the form of Ginkgo's report, which CI systems read.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Disabled int          `xml:"disabled,attr"`
	Errors   int          `xml:"errors,attr"`
	Failures int          `xml:"failures,attr"`
	Time     float64      `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Package    string          `xml:"package,attr"`
	Tests      int             `xml:"tests,attr"`
	Disabled   int             `xml:"disabled,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Errors     int             `xml:"errors,attr"`
	Failures   int             `xml:"failures,attr"`
	Time       float64         `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Classname string        `xml:"classname,attr"`
	Status    string        `xml:"status,attr"`
	Time      float64       `xml:"time,attr"`
	Skipped   *junitMessage `xml:"skipped,omitempty"`
	Error     *junitMessage `xml:"error,omitempty"`
	Failure   *junitMessage `xml:"failure,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes a test case for each case of the report, which has the cases of the run.
func writeJUnit(path string, r *ConformanceReport, run Finished) error {
	one := junitSuite{
		Name:       "csi-topo " + run.Tier,
		Tests:      len(r.Cases),
		Skipped:    r.Summary.Skip,
		Errors:     r.Summary.Error,
		Failures:   r.Summary.Fail,
		Time:       run.Took.Seconds(),
		Timestamp:  run.Began.Format("2006-01-02T15:04:05"),
		Properties: propertiesOf(r, run),
	}
	if dir, err := os.Getwd(); err == nil {
		one.Package = dir
	}
	for i, c := range r.Cases {
		one.Cases = append(one.Cases, junitOf(c, run.Results[i], one.Name))
	}
	text, err := xml.MarshalIndent(junitSuites{
		Tests: one.Tests, Disabled: one.Skipped, Errors: one.Errors, Failures: one.Failures, Time: one.Time, Suites: []junitSuite{one},
	}, "  ", "    ")
	if err != nil {
		return fmt.Errorf("encoding the JUnit report: %w", err)
	}
	return os.WriteFile(path, append([]byte(xml.Header), text...), 0o644)
}

// propertiesOf returns the properties of Ginkgo's report on a suite, because CI systems may read them. Properties without a
// meaning outside Ginkgo have Ginkgo's default.
func propertiesOf(r *ConformanceReport, run Finished) []junitProperty {
	var asked []string
	for _, c := range r.Cases {
		if c.DecidedBy != suite.ByFilter {
			asked = append(asked, regexp.QuoteMeta(c.ID))
		}
	}
	filter := ""
	if len(asked) < len(r.Cases) {
		filter = "/^case:(" + strings.Join(asked, "|") + ")$/"
	}
	return []junitProperty{
		{"SuiteSucceeded", strconv.FormatBool(r.Summary.Fail+r.Summary.Error == 0)},
		{"SuiteHasProgrammaticFocus", "false"},
		{"SpecialSuiteFailureReason", ""},
		{"SuiteLabels", "[]"},
		{"SuiteSemVerConstraints", "[]"},
		{"SuiteComponentSemVerConstraints", "[]"},
		{"RandomSeed", strconv.FormatInt(run.Seed, 10)},
		{"RandomizeAllSpecs", strconv.FormatBool(run.Shuffle)},
		{"LabelFilter", filter},
		{"SemVerFilter", ""},
		{"FocusStrings", ""},
		{"SkipStrings", ""},
		{"FocusFiles", ""},
		{"SkipFiles", ""},
		{"FailOnPending", "false"},
		{"FailOnEmpty", "false"},
		{"FailFast", "false"},
		{"FlakeAttempts", "0"},
		{"DryRun", "false"},
		{"ParallelTotal", "1"},
		{"OutputInterceptorMode", ""},
		{"Waived", strconv.Itoa(r.Summary.Waived)}, // of the skipped, by the profile
	}
}

func junitOf(c Case, result suite.Result, class string) junitCase {
	labels := append([]string{"Serial"}, result.Labels()...) // as these cases have always been named
	test := junitCase{
		Name:      fmt.Sprintf("%s [%s]", result.Name(), strings.Join(labels, ", ")),
		Classname: class,
		Time:      result.Took.Seconds(),
	}
	switch c.Verdict {
	case suite.Failed:
		test.Status, test.Failure = "failed", &junitMessage{c.Message, "failed", c.Message}
	case suite.Errored:
		message := strings.TrimSpace(c.Reason + ": " + c.Message)
		test.Status, test.Error = "interrupted", &junitMessage{message, "interrupted", message}
	case suite.Skipped:
		test.Status, test.Skipped = "skipped", &junitMessage{Message: fmt.Sprintf("skipped - %s: %s", c.DecidedBy, c.Reason)}
	case suite.Passed, suite.Warned:
		test.Status = "passed"
	}
	return test
}

// SPDX-License-Identifier: Apache-2.0

// Package report is the conformance report: its types, its construction from the results of a run, its output, and the exit
// status. It depends on no driver, no cluster and no register: it gets the level of a requirement from a suite.Lookup.
package report

import (
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	// APIVersion is the version of the report's format.
	APIVersion = "csi-topo/v1alpha1"
	// Kind is the report's kind.
	Kind = "ConformanceReport"
)

// NotExercised is the verdict of a requirement if none of its cases ran although it may apply.
const NotExercised suite.Verdict = "not-exercised"

// ConformanceReport is the result of one run of one tier.
type ConformanceReport struct {
	APIVersion     string         `yaml:"apiVersion"`
	Kind           string         `yaml:"kind"`
	Suite          Suite          `yaml:"suite"`
	Implementation Implementation `yaml:"implementation,omitempty"`
	Driver         Driver         `yaml:"driver"`
	Environment    Environment    `yaml:"environment"`
	Summary        Summary        `yaml:"summary"`
	Waivers        []Waiver       `yaml:"waivers,omitempty"`
	Profiles       []Profile      `yaml:"profiles,omitempty"`
	Requirements   []Requirement  `yaml:"requirements"`
	Cases          []Case         `yaml:"cases"`
	// Original is the digest of the report that a published report was made from; empty in other reports.
	Original string `yaml:"original,omitempty"`
	// Digest is the digest of everything before it in the file, where it is the last line.
	Digest string `yaml:"digest,omitempty"`
}

// Suite identifies the suite that ran, the version of the CSI specification that it judges the driver by, and the seed that
// reproduces the order. Run is part of the name of everything that the run created. Began is the time of its start, in RFC
// 3339. Command is the command line; Again, followed by the id of a case, repeats that case. Both are empty in a Go test.
// Profile is the text of the vendor's profile, without secrets; empty without one.
type Suite struct {
	Version string `yaml:"version"`
	Commit  string `yaml:"commit"`
	CSI     string `yaml:"csi,omitempty"`
	Seed    int64  `yaml:"seed"`
	Run     string `yaml:"run,omitempty"`
	Began   string `yaml:"began,omitempty"`
	Command string `yaml:"command,omitempty"`
	Again   string `yaml:"again,omitempty"`
	Profile string `yaml:"profile,omitempty"`
}

// Implementation identifies the driver, as in the vendor's profile.
type Implementation struct {
	Organization string `yaml:"organization"`
	Project      string `yaml:"project"`
	URL          string `yaml:"url"`
	Version      string `yaml:"version"`
	// Backend is the driver's storage.
	Backend Backend `yaml:"backend,omitempty"`
}

// Backend is a substitute for the real storage, or the real storage, which has no kind. Lacks are the ids of the things
// that it does not do.
type Backend struct {
	Kind  string   `yaml:"kind"`
	Lacks []string `yaml:"lacks,flow,omitempty"`
}

// Driver is the driver under test as it describes itself.
type Driver struct {
	Name         string   `yaml:"name"`
	Version      string   `yaml:"version"`
	Capabilities []string `yaml:"capabilities"`
}

// Environment is the environment of the run. Nodes counts the cluster's nodes, or the node endpoints of the spec tier.
type Environment struct {
	Tier       string            `yaml:"tier"`
	Kubernetes string            `yaml:"kubernetes"`
	Nodes      int               `yaml:"nodes"`
	Zones      []string          `yaml:"zones"`
	Segments   []Segment         `yaml:"segments,omitempty"`
	Sidecars   map[string]string `yaml:"sidecars"`
}

// Segment is one topology segment of the driver. Placements of cases name it by Name.
type Segment struct {
	Name string `yaml:"name" json:"name"`
	// Topology is the segment itself: a value for each of the driver's topology keys.
	Topology map[string]string `yaml:"topology" json:"topology"`
	// Nodes are the names of the nodes in it.
	Nodes []string `yaml:"nodes,flow,omitempty" json:"nodes,omitempty"`
	// Bytes is the capacity that GetCapacity returns for it after the last case; nil if the driver does not report it.
	Bytes *int64 `yaml:"bytes,omitempty" json:"bytes,omitempty"`
}

// Summary counts the cases by verdict. Waived counts the skipped cases whose findings are all waived by the profile;
// Seconds is the run's duration.
type Summary struct {
	Pass    int     `yaml:"pass"`
	Fail    int     `yaml:"fail"`
	Warn    int     `yaml:"warn"`
	Error   int     `yaml:"error"`
	Skip    int     `yaml:"skip"`
	Waived  int     `yaml:"waived,omitempty"`
	Seconds float64 `yaml:"seconds"`
}

// Waiver is one of the profile's waivers, with the ids of the cases where it set findings aside. NotNeeded says that all
// requirements that it applies to held.
type Waiver struct {
	suite.Waiver `yaml:",inline"`
	Cases        []string `yaml:"cases,flow"`
	NotNeeded    bool     `yaml:"notNeeded,omitempty"`
}

// Outcome is the outcome of a conformance profile.
type Outcome string

// The outcomes of profiles. docs/conformance.md has the rule.
const (
	Success    Outcome = "success"
	Partial    Outcome = "partial"
	Failure    Outcome = "failure"
	NotClaimed Outcome = "not-claimed"
)

// Profile is the outcome of a conformance profile, and the ids of its requirements by result. A requirement is open if it
// was claimed and could not be judged in full.
type Profile struct {
	Name       string   `yaml:"name"`
	Core       bool     `yaml:"core,omitempty"`
	Outcome    Outcome  `yaml:"outcome"`
	Held       []string `yaml:"held,flow,omitempty"`
	Failed     []string `yaml:"failed,flow,omitempty"`
	Open       []string `yaml:"open,flow,omitempty"`
	NotClaimed []string `yaml:"notClaimed,flow,omitempty"`
}

// Requirement is the verdict of all of a requirement's cases together.
type Requirement struct {
	ID      string        `yaml:"id"`
	Level   string        `yaml:"level"`
	Grades  string        `yaml:"grades"`
	Verdict suite.Verdict `yaml:"verdict"`
	Cases   []string      `yaml:"cases"`
}

// Case is one case's verdict. Reason is short and says why the verdict is not a plain pass or fail; Message is the full
// text of a failure, an error or a warning. Blamed are the requirements that a failure or a warning is about; if empty, it
// is about all of them. Seconds is the case's duration with its set-up and clean-up. Text is the statement that the case
// checks.
type Case struct {
	ID           string          `yaml:"id"`
	Tier         string          `yaml:"tier"`
	Area         string          `yaml:"area"`
	Text         string          `yaml:"text,omitempty"`
	Requirements []string        `yaml:"requirements"`
	Blamed       []string        `yaml:"blamed,omitempty"`
	Verdict      suite.Verdict   `yaml:"verdict"`
	Reason       string          `yaml:"reason,omitempty"`
	DecidedBy    suite.DecidedBy `yaml:"decidedBy,omitempty"`
	Seconds      float64         `yaml:"seconds"`
	Message      string          `yaml:"message,omitempty"`
	// Waived are the findings of the case that the profile's waivers set aside.
	Waived []suite.SetAside `yaml:"waived,omitempty"`
	// Provisional says that the case counts for no profile yet.
	Provisional bool `yaml:"provisional,omitempty"`
	// Closing says that the case is about the run as a whole: its findings come before all others.
	Closing  bool       `yaml:"closing,omitempty"`
	Evidence []Evidence `yaml:"evidence,omitempty"`
	// Placement is the location of the case's volumes and pods.
	Placement *suite.Placement `yaml:"placement,omitempty"`
	Calls     *Lines           `yaml:"calls,omitempty"`

	recorded suite.Recording
}

// Lines are consecutive lines of calls.jsonl, counted from 1, both ends included.
type Lines struct {
	First int `yaml:"first"`
	Last  int `yaml:"last"`
}

// Evidence is one observation of a case.
type Evidence struct {
	Name  string    `yaml:"name"`
	Value yaml.Node `yaml:"value"`
}

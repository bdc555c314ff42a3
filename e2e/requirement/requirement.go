// SPDX-License-Identifier: Apache-2.0

package requirement

// Level is the strength of a requirement, after RFC 2119.
type Level string

const (
	// Must is absolute: MUST, SHALL, REQUIRED and their negations.
	Must Level = "MUST"
	// Should is a recommendation: SHOULD, RECOMMENDED and their negations.
	Should Level = "SHOULD"
	// May is a permission: a suite can only show that using it is tolerated.
	May Level = "MAY"
)

// Party is the party that a requirement grades.
type Party string

const (
	// Vendor is the storage driver under test.
	Vendor Party = "vendor"
	// Platform is the scheduler, the sidecars, the kubelet and the controllers around the driver.
	Platform Party = "platform"
)

// Tier is a tier in which a requirement can be observed.
type Tier string

const (
	// Spec is observed over gRPC at the driver's own endpoints.
	Spec Tier = "spec"
	// Cluster is observed in a running cluster.
	Cluster Tier = "cluster"
)

// Requirement is one row of the register.
type Requirement struct {
	// ID is unique in the register: the CSI clause, such as TR-07, or K8S- and the behaviour, such as K8S-A3.
	ID string `yaml:"id"`
	// Area is the part of the specification or of Kubernetes that the row belongs to.
	Area string `yaml:"-"`
	// Level is the strength of the row.
	Level Level `yaml:"level"`
	// Keyword is the specification's own word for the level; empty for Kubernetes' behaviours.
	Keyword string `yaml:"keyword"`
	// Grades is the party that a contradiction counts against.
	Grades Party `yaml:"grades"`
	// RPC names the CSI calls concerned, "any" for all of them; empty for Kubernetes' behaviours.
	RPC string `yaml:"rpc"`
	// Tiers are the tiers where the row can be observed; empty if Untestable has a reason.
	Tiers []Tier `yaml:"tiers"`
	// Untestable explains why no case can verify the row.
	Untestable string `yaml:"untestable"`
	// Uncovered explains why a row that could be observed has no case.
	Uncovered string `yaml:"uncovered"`
	// Position explains the suite's interpretation of the row if its source is silent or ambiguous.
	Position string `yaml:"position"`
	// Source is the document, and the place in it, from which the row is taken.
	Source string `yaml:"source"`
	// Since is the version of the CSI specification that introduced the row, such as 1.5; empty for Kubernetes'
	// behaviours.
	Since string `yaml:"since"`
	// Text is the requirement, not in the words of the source.
	Text string `yaml:"text"`
	// Observable describes the observation that shows the behaviour, if Text does not.
	Observable string `yaml:"observable"`
	// Witness describes the evidence in addition to the text of an event or of a condition, which Kubernetes may change, if
	// a case about the row reads such text: the state of an object, or a recorded call. It begins with "none: " if there is
	// no other evidence.
	Witness string `yaml:"witness"`
}

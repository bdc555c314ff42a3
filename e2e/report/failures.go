// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Finding is a finding of one or more cases with the same cause.
type Finding struct {
	// Cause is a key that is the same for all cases with this cause, also in other reports, and differs for all others.
	Cause string
	// Shown is the first of the cases, whose message represents all.
	Shown Case
	// Others are the ids of the other cases.
	Others []string
	// Also are the requirements that the other cases blame and the first does not.
	Also []string
	// Answer is the driver's answer if it is the cause; empty if the whole message is.
	Answer string
}

// Failures prints the findings of the cases: failures first, then errors, then warnings. Findings with the same cause are
// printed once, with the message of the first case and the ids of the others. The ids of cases that did not run because the
// run ended follow the errors. meaning returns the text of a requirement and its source; "" leaves it out.
func Failures(w io.Writer, r *ConformanceReport, meaning func(id string) string) {
	for _, v := range []suite.Verdict{suite.Failed, suite.Errored, suite.Warned} {
		for _, f := range Findings(r, v) {
			f.print(w, meaning)
		}
		if v == suite.Errored {
			printNotRun(w, r)
		}
	}
}

// Findings returns the findings of one verdict: first those about the run as a whole, then the others by their number of
// cases. Cases that did not run because the run ended are left out. Cases with the same answer of the driver have one cause
// if they judge the same RPCs, even by different clauses, unless one of them found something else as well.
func Findings(r *ConformanceReport, v suite.Verdict) []Finding {
	var found []Finding
	known := map[string]int{}
	for _, c := range r.Cases {
		if c.Verdict != v || c.Reason == suite.NotRun {
			continue
		}
		cause, answer := causeOf(c, namesOf(r))
		i, again := known[cause]
		if !again {
			known[cause] = len(found)
			found = append(found, Finding{Cause: cause, Shown: c, Answer: answer})
			continue
		}
		f := &found[i]
		f.Others = append(f.Others, c.ID)
		for _, id := range c.Blamed {
			if !slices.Contains(f.Shown.Blamed, id) && !slices.Contains(f.Also, id) {
				f.Also = append(f.Also, id)
			}
		}
	}
	rank := func(f Finding) int {
		if f.Shown.Closing {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(rank(a)-rank(b), len(b.Others)-len(a.Others))
	})
	return found
}

// causeOf returns a key for the finding of a case, and the driver's answer if it is the cause. A case that found several
// things, as a sequence of requests may, has a separate cause.
func causeOf(c Case, names []string) (cause, answer string) {
	if answers := suite.Answers(c.Message); len(answers) > 0 && !c.Closing && !severalThings.MatchString(c.Message) {
		var alike []string
		for _, answer := range answers {
			alike = append(alike, normalized(answer, names))
		}
		slices.Sort(alike)
		return strings.Join(append([]string{c.Reason, chapters(c.Blamed)}, slices.Compact(alike)...), "\n"), answers[0]
	}
	return strings.Join(append(slices.Clone(c.Blamed), c.Reason, normalized(c.Message, names)), "\n"), ""
}

// ofCreation are the chapters of the register about the volumes that CreateVolume creates. For a refused call, they all
// mean the same: the volume was possible. The chapter about its codes, CREATE, means that a call must be refused
// differently.
var ofCreation = []string{"CV", "PF", "TO", "TR", "VOL", "VS"}

// chapters returns the chapters of the register that the clauses are in. A chapter is about one RPC.
func chapters(clauses []string) string {
	var about []string
	for _, id := range clauses {
		chapter, _, _ := strings.Cut(id, "-")
		if slices.Contains(ofCreation, chapter) {
			chapter = "CreateVolume"
		}
		about = append(about, chapter)
	}
	slices.Sort(about)
	return strings.Join(slices.Compact(about), " ")
}

// severalThings matches a message that lists several findings, and a message where one call was OK and others were not.
var severalThings = regexp.MustCompile(`\n\n|(?m:^got: OK)`)

// namesOf returns the names in messages that are irrelevant to the cause: the name of the run, and the values of segments.
func namesOf(r *ConformanceReport) []string {
	const shortest = 4 // a shorter one may be part of a word
	names := []string{r.Suite.Run}
	for _, segment := range r.Environment.Segments {
		for _, value := range segment.Topology {
			if len(value) >= shortest {
				names = append(names, value)
			}
		}
	}
	return names
}

func (f Finding) print(w io.Writer, meaning func(id string) string) {
	c := f.Shown
	fmt.Fprintf(w, "\n%s %s: %s\n", strings.ToUpper(string(c.Verdict)), c.ID, c.Text)
	switch {
	case len(c.Blamed) > 0:
		printClauses(w, relation(c.Verdict, false), c.Blamed, meaning)
	case len(c.Requirements) > 0:
		fmt.Fprintf(w, "    verifies %s\n", strings.Join(c.Requirements, ", "))
	}
	if c.Reason != "" {
		fmt.Fprintf(w, "    %s\n", c.Reason)
	}
	fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(c.Message, "\n", "\n    "))
	if len(f.Others) == 0 {
		return
	}
	same := "the same"
	if f.Answer != "" {
		same = "the same answer"
	}
	printIDs(w, fmt.Sprintf("    %s in %d more: ", same, len(f.Others)), f.Others)
	if len(f.Also) > 0 {
		printIDs(w, fmt.Sprintf("    which %s ", relation(c.Verdict, true)), f.Also)
	}
}

// relation returns the verb between findings of the verdict and the clauses that they blame.
func relation(v suite.Verdict, several bool) string {
	switch {
	case v == suite.Failed && several:
		return "contradict"
	case v == suite.Failed:
		return "contradicts"
	case several:
		return "are about"
	default:
		return "about"
	}
}

// printClauses prints the text of each of the requirements.
func printClauses(w io.Writer, relation string, ids []string, meaning func(id string) string) {
	for _, id := range ids {
		if text := meaning(id); text != "" {
			id += ": " + text
		}
		fmt.Fprintf(w, "    %s %s\n", relation, id)
	}
}

// LeftOut is a reason why selected cases did not run, and their ids.
type LeftOut struct {
	Why string
	IDs []string
}

// NotRun returns the cases of the report that were selected but not run, by reason.
func NotRun(r *ConformanceReport) []LeftOut {
	var left []LeftOut
	for _, c := range r.Cases {
		if c.Verdict != suite.Errored || c.Reason != suite.NotRun {
			continue
		}
		i := slices.IndexFunc(left, func(l LeftOut) bool { return l.Why == c.Message })
		if i < 0 {
			i, left = len(left), append(left, LeftOut{Why: c.Message})
		}
		left[i].IDs = append(left[i].IDs, c.ID)
	}
	return left
}

func printNotRun(w io.Writer, r *ConformanceReport) {
	const most = 20 // ids that are worth listing
	for _, left := range NotRun(r) {
		fmt.Fprintf(w, "\nERROR %d not run: %s\n", len(left.IDs), left.Why)
		if more := len(left.IDs) - most; more > 0 {
			left.IDs = append(left.IDs[:most], fmt.Sprintf("and %d more", more))
		}
		printIDs(w, "    ", left.IDs)
	}
}

// printIDs prints ids after the words that introduce them, on as many lines as they need.
func printIDs(w io.Writer, introduction string, ids []string) {
	const width, indent = 100, "      "
	line := introduction
	for i, id := range ids {
		if i < len(ids)-1 {
			id += ", "
		}
		if len(line)+len(id) > width && line != indent && line != introduction {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line = indent
		}
		line += id
	}
	fmt.Fprintln(w, line)
}

var (
	location = regexp.MustCompile(`(?m)^(?:.* )?at \S+\.go:\d+$`)
	word     = regexp.MustCompile(`[^\s,;:=(){}\[\]"']+`)
	clauseID = regexp.MustCompile(`^(?:K8S-[A-Z]\d+|[A-Z]{2,6}-\d{2})$`)
	// ofError matches a number that identifies an error, rather than an amount or an object.
	ofError = regexp.MustCompile(`(?i)\b(?:exit status|status|code|error|errno|http)[ :=]*\d{1,5}\b`)
	inARow  = regexp.MustCompile(`#(?:[^A-Za-z#\n]*#)+`)
	// pairs matches the keys and values of a map, such as publish_context.
	pairs = regexp.MustCompile(`\{[^{}\n]*=[^{}\n]*\}`)
	value = regexp.MustCompile(`=[^,}]*`)
)

// normalized returns a message without the parts that differ between cases with the same cause: numbers, ids, words with
// one of the names, values in maps, and the place in the suite. Ids of clauses stay, and so do numbers of errors, such as
// an exit status.
func normalized(message string, names []string) string {
	message = strings.TrimSpace(location.ReplaceAllString(message, ""))
	message = pairs.ReplaceAllStringFunc(message, func(found string) string { return value.ReplaceAllString(found, "=#") })
	message = ofError.ReplaceAllStringFunc(message, inLetters)
	message = word.ReplaceAllStringFunc(message, func(found string) string {
		isNamed := slices.ContainsFunc(names, func(name string) bool { return name != "" && strings.Contains(found, name) })
		if clauseID.MatchString(found) || !isNamed && !strings.ContainsAny(found, "0123456789") {
			return found
		}
		return "#"
	})
	return inARow.ReplaceAllString(message, "#")
}

// inLetters returns the text with a letter for each digit.
func inLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'a' + r - '0'
		}
		return r
	}, text)
}

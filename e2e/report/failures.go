package report

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// finding is what one or more cases found for the same cause.
type finding struct {
	// shown is the first of the cases, whose message stands for all.
	shown Case
	// others are the ids of the other cases.
	others []string
}

// Failures prints what the cases found: failures first, then errors, then warnings. What several cases found for the same
// cause is printed once, with the message of the first and the ids of the others. The ids of cases that the end of the
// run left out come behind the errors. meaning returns what the requirement of an id says, and where; "" leaves it out.
func Failures(w io.Writer, r *ConformanceReport, meaning func(id string) string) {
	for _, v := range []verdict.Verdict{verdict.Fail, verdict.Error, verdict.Warning} {
		for _, f := range findings(r, v) {
			f.print(w, meaning)
		}
		if v == verdict.Error {
			printNotRun(w, r)
		}
	}
}

// findings are those of one verdict, in the order of the cases.
func findings(r *ConformanceReport, v verdict.Verdict) []finding {
	var found []finding
	known := map[string]int{}
	for _, c := range r.Cases {
		if c.Verdict != v || c.Reason == verdict.NotRun {
			continue
		}
		cause := strings.Join(append(slices.Clone(c.Blamed), c.Reason, normalized(c.Message, r.Suite.Run)), "\n")
		if i, again := known[cause]; again {
			found[i].others = append(found[i].others, c.ID)
			continue
		}
		known[cause] = len(found)
		found = append(found, finding{shown: c})
	}
	return found
}

func (f finding) print(w io.Writer, meaning func(id string) string) {
	c := f.shown
	fmt.Fprintf(w, "\n%s %s: %s\n", strings.ToUpper(string(c.Verdict)), c.ID, c.Text)
	switch {
	case len(c.Blamed) > 0 && c.Verdict == verdict.Fail:
		printClauses(w, "contradicts", c.Blamed, meaning)
	case len(c.Blamed) > 0:
		printClauses(w, "about", c.Blamed, meaning)
	case len(c.Requirements) > 0:
		fmt.Fprintf(w, "    verifies %s\n", strings.Join(c.Requirements, ", "))
	}
	if c.Reason != "" {
		fmt.Fprintf(w, "    %s\n", c.Reason)
	}
	fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(c.Message, "\n", "\n    "))
	if len(f.others) > 0 {
		printIDs(w, fmt.Sprintf("    the same in %d more: ", len(f.others)), f.others)
	}
}

// printClauses prints what each of the requirements says.
func printClauses(w io.Writer, relation string, ids []string, meaning func(id string) string) {
	for _, id := range ids {
		if text := meaning(id); text != "" {
			id += ": " + text
		}
		fmt.Fprintf(w, "    %s %s\n", relation, id)
	}
}

func printNotRun(w io.Writer, r *ConformanceReport) {
	var ids []string
	for _, c := range r.Cases {
		if c.Verdict == verdict.Error && c.Reason == verdict.NotRun {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) > 0 {
		fmt.Fprintln(w)
		printIDs(w, fmt.Sprintf("ERROR %d not run: ", len(ids)), ids)
	}
}

// printIDs prints ids behind the words that introduce them, on as many lines as they need.
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
	clauseID = regexp.MustCompile(`^(?:K8S-[A-M]\d+|[A-Z]{2,6}-\d{2})$`)
	inARow   = regexp.MustCompile(`#(?:[^A-Za-z#\n]*#)+`)
)

// normalized is a message without what differs from case to case though the cause is the same: numbers, ids, names that
// the run gave, and the place in the suite. Ids of clauses stay.
func normalized(message, run string) string {
	message = strings.TrimSpace(location.ReplaceAllString(message, ""))
	message = word.ReplaceAllStringFunc(message, func(found string) string {
		ofRun := run != "" && strings.Contains(found, run)
		if clauseID.MatchString(found) || !ofRun && !strings.ContainsAny(found, "0123456789") {
			return found
		}
		return "#"
	})
	return inARow.ReplaceAllString(message, "#")
}

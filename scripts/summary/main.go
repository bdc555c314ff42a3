// Command summary turns a report.yaml into Markdown, for the summary page of a GitHub workflow.
package main

import (
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/report"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
		os.Exit(2)
	}
}

// run writes the summary of the report that arguments name to out. A report that is not there is itself worth a line of
// the summary: the run ended before it could write one.
func run(arguments []string, out io.Writer) error {
	if len(arguments) != 1 {
		return fmt.Errorf("want one argument, the path of a report.yaml; got %d", len(arguments))
	}
	content, err := os.ReadFile(arguments[0])
	if err != nil {
		fmt.Fprintln(out, "### No report: the run ended before its first case")
		return fmt.Errorf("reading the report: %w", err)
	}
	var r report.ConformanceReport
	if err := yaml.Unmarshal(content, &r); err != nil {
		return fmt.Errorf("reading %s: %w", arguments[0], err)
	}
	if r.Kind != report.Kind || r.APIVersion != report.APIVersion {
		return fmt.Errorf("%s is %q of %q, want %q of %q", arguments[0], r.Kind, r.APIVersion, report.Kind, report.APIVersion)
	}
	return markdown(out, &r)
}

// SPDX-License-Identifier: Apache-2.0

// Command sbom prints the Go modules in the given programs as a CycloneDX list of components. It reads the build
// information that the Go linker wrote into them, so that the list is exact, and the same for the same programs.
package main

import (
	"debug/buildinfo"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(programs []string, out io.Writer) error {
	if len(programs) == 0 {
		return fmt.Errorf("want the paths of Go programs, found none")
	}
	bom := cdx.NewBOM()
	var components []cdx.Component
	modules := map[string]cdx.Component{}
	var dependencies []cdx.Dependency
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return fmt.Errorf("reading which modules are in %s: %w", program, err)
		}
		application := cdx.Component{
			BOMRef: "program:" + filepath.Base(program), Type: cdx.ComponentTypeApplication,
			Name: filepath.Base(program), Version: info.Main.Version,
		}
		components = append(components, application)
		refs := []string{}
		for _, module := range append([]*debug.Module{&info.Main, standardLibrary(info)}, info.Deps...) {
			component := componentOf(module)
			modules[component.BOMRef] = component
			refs = append(refs, component.BOMRef)
		}
		slices.Sort(refs)
		dependencies = append(dependencies, cdx.Dependency{Ref: application.BOMRef, Dependencies: &refs})
	}
	for _, ref := range slices.Sorted(maps.Keys(modules)) {
		components = append(components, modules[ref])
	}
	bom.Components, bom.Dependencies = &components, &dependencies
	return cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
}

// standardLibrary returns the standard library as a module, as it can have vulnerabilities too.
func standardLibrary(info *debug.BuildInfo) *debug.Module {
	return &debug.Module{Path: "std", Version: info.GoVersion}
}

// componentOf returns the component of a module, or of its replacement.
func componentOf(module *debug.Module) cdx.Component {
	if module.Replace != nil {
		module = module.Replace
	}
	url := fmt.Sprintf("pkg:golang/%s@%s", module.Path, module.Version)
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: module.Path, Version: module.Version, PackageURL: url}
}

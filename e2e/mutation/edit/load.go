// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"context"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Set is all changes of some packages that compile.
type Set struct {
	Edits []Edit
	// Invalid is how many more there would be that do not compile.
	Invalid int
	// Overlay are the files, by their paths, in which all of them are compiled; the first has the number 1.
	Overlay map[string][]byte
}

// Load finds the changes of the packages of the patterns, of the module in the directory.
func Load(ctx context.Context, directory string, patterns ...string) (Set, error) {
	root, err := filepath.Abs(directory)
	if err != nil {
		return Set{}, fmt.Errorf("looking for the module in %s: %w", directory, err)
	}
	loaded, err := packages.Load(&packages.Config{
		Context: ctx,
		Dir:     root,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedTypesInfo,
	}, patterns...)
	if err != nil {
		return Set{}, fmt.Errorf("loading %v: %w", patterns, err)
	}
	var all Set
	for _, pkg := range loaded {
		for _, e := range pkg.Errors {
			return Set{}, fmt.Errorf("loading %s: %w", pkg.PkgPath, e)
		}
		found, err := editsOf(root, pkg)
		if err != nil {
			return Set{}, err
		}
		compiled, err := valid(pkg, found)
		if err != nil {
			return Set{}, err
		}
		all.Edits = append(all.Edits, compiled...)
		all.Invalid += len(found) - len(compiled)
	}
	if len(all.Edits) == 0 {
		return Set{}, fmt.Errorf("there is nothing in %v that could be changed", patterns)
	}
	all.Overlay = schemata(all.Edits)
	return all, nil
}

func editsOf(root string, pkg *packages.Package) ([]Edit, error) {
	var edits []Edit
	for _, file := range pkg.Syntax {
		name := pkg.Fset.Position(file.Package).Filename
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading a file of %s: %w", pkg.PkgPath, err)
		}
		path, err := filepath.Rel(root, name)
		if err != nil {
			return nil, fmt.Errorf("looking for %s in the module: %w", name, err)
		}
		for _, declared := range file.Decls {
			if decl, ok := declared.(*ast.FuncDecl); ok && decl.Body != nil {
				f := &function{pkg: pkg, file: file, decl: decl, source: source, path: filepath.ToSlash(path)}
				f.name = f.called()
				edits = append(edits, f.find()...)
			}
		}
	}
	return edits, nil
}

// called is the name of a function, with the type that it is a method of.
func (f *function) called() string {
	if f.decl.Recv == nil {
		return f.decl.Name.Name
	}
	kind := f.textOf(f.decl.Recv.List[0].Type)
	if strings.HasPrefix(kind, "*") {
		kind = "(" + kind + ")"
	}
	return kind + "." + f.decl.Name.Name
}

// selectorOf is the file with the number of the change in force, beside a file of the package.
func selectorOf(file string) string { return filepath.Join(filepath.Dir(file), "zz_active_mutant.go") }

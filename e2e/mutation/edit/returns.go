// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"go/ast"
	"go/types"
	"strings"
)

// returns has a function return something else: nothing in place of each of its results, and of nothing something.
func (f *finder) returns(s *ast.ReturnStmt) {
	if f.results != nil && len(s.Results) == f.results.Len() {
		texts := make([]string, 0, len(s.Results))
		for _, e := range s.Results {
			texts = append(texts, f.textOf(e))
		}
		for i, e := range s.Results {
			other, found := f.instead(e, f.results.At(i).Type())
			if !found {
				continue
			}
			changed := append([]string{}, texts...)
			changed[i] = other
			text := "return " + strings.Join(changed, ", ")
			before := f.used(e)
			if before != "" {
				before += "; "
			}
			f.add("return value", s, before+text, text)
		}
	}
	for _, e := range s.Results {
		f.expression(e)
	}
}

// instead is another value of the type.
func (f *finder) instead(e ast.Expr, of types.Type) (string, bool) {
	text := f.textOf(e)
	switch under := of.Underlying().(type) {
	case *types.Basic:
		switch {
		case under.Info()&types.IsBoolean != 0 && text == "true":
			return "false", true
		case under.Info()&types.IsBoolean != 0 && text == "false":
			return "true", true
		case under.Info()&types.IsBoolean != 0:
			return "!(" + text + ")", !isComparison(e)
		case under.Info()&types.IsNumeric != 0 && text == "0":
			return "1", true
		case under.Info()&types.IsNumeric != 0:
			return "0", true
		case under.Info()&types.IsString != 0 && text == `""`:
			return `"x"`, true
		case under.Info()&types.IsString != 0:
			return `""`, true
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Signature, *types.Interface, *types.Chan:
		return "nil", text != "nil"
	case *types.Struct:
		none := types.TypeString(of, func(p *types.Package) string {
			if p == f.pkg.Types {
				return ""
			}
			return p.Name()
		}) + "{}"
		return none, text != none
	}
	return "", false
}

// isComparison tells of an expression that is negated by its operator.
func isComparison(e ast.Expr) bool {
	binary, ok := e.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	_, found := negated[binary.Op]
	return found
}

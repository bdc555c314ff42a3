// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"go/ast"
	"go/token"
	"go/types"
)

var (
	negated  = map[token.Token]string{token.EQL: "!=", token.NEQ: "==", token.LSS: ">=", token.LEQ: ">", token.GTR: "<=", token.GEQ: "<"}
	boundary = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}
	logical  = map[token.Token]string{token.LAND: "||", token.LOR: "&&"}
	computed = map[token.Token]string{
		token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.REM: "*",
		token.AND: "|", token.OR: "&", token.SHL: ">>", token.SHR: "<<",
	}
)

// condition looks at an expression that decides something: it is negated, wherever that is not done by its operators.
func (f *finder) condition(e ast.Expr) {
	switch e := e.(type) {
	case nil:
	case *ast.ParenExpr:
		f.condition(e.X)
	case *ast.BinaryExpr:
		f.binary(e)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			f.add("negation", e, f.textOf(e.X), f.textOf(e.X))
			f.within(e.X)
			return
		}
		f.expression(e)
	default:
		f.add("negation", e, "!("+f.textOf(e)+")", "!"+f.textOf(e))
		f.expression(e)
	}
}

// binary looks at an expression of two operands.
func (f *finder) binary(e *ast.BinaryExpr) {
	x, y := f.textOf(e.X), f.textOf(e.Y)
	become := func(operator string, other string, found bool) {
		if found {
			f.add(operator, e, "("+x+" "+other+" "+y+")", x+" "+other+" "+y)
		}
	}
	other, found := negated[e.Op]
	become("negation", other, found)
	other, found = boundary[e.Op]
	become("boundary", other, found)
	if other, found = logical[e.Op]; found {
		become("logical", other, true)
		f.condition(e.X)
		f.condition(e.Y)
		return
	}
	other, found = computed[e.Op]
	become("arithmetic", other, found && f.numeric(e))
	f.expression(e.X)
	f.expression(e.Y)
}

// expression looks at any other one.
func (f *finder) expression(e ast.Expr) {
	switch e := e.(type) {
	case nil:
	case *ast.BinaryExpr:
		f.binary(e)
	case *ast.CallExpr:
		f.extreme(e)
		f.within(e)
	case *ast.FuncLit:
		f.literal(e)
	default:
		f.within(e)
	}
}

// within looks at the expressions in a node.
func (f *finder) within(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr, *ast.FuncLit, *ast.CallExpr:
			if n == node {
				return true
			}
			f.expression(n.(ast.Expr)) //nolint:forcetypeassert // all three are
			return false
		default:
			return true
		}
	})
}

// extreme turns the larger of two numbers into the smaller, and the other way round.
func (f *finder) extreme(e *ast.CallExpr) {
	name, ok := e.Fun.(*ast.Ident)
	if !ok {
		return
	}
	if _, builtin := f.pkg.TypesInfo.Uses[name].(*types.Builtin); !builtin {
		return
	}
	other, found := map[string]string{"min": "max", "max": "min"}[name.Name]
	if found {
		text := other + f.textOf(e)[len(name.Name):]
		f.add("arithmetic", e, text, text)
	}
}

// literal looks at a function within the function.
func (f *finder) literal(e *ast.FuncLit) {
	at, results := f.at, f.results
	if signature, ok := f.pkg.TypesInfo.TypeOf(e).(*types.Signature); ok {
		f.results = signature.Results()
	}
	f.statements(e.Body.List, false)
	f.at, f.results = at, results
}

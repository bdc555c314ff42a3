// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"reflect"
	"runtime"
	"strings"
)

// fileOf returns the file with the function, below the module's folder; "" if it is not known.
func fileOf(function any) string {
	value := reflect.ValueOf(function)
	if value.IsNil() {
		return ""
	}
	file, _ := runtime.FuncForPC(value.Pointer()).FileLine(value.Pointer())
	if at := strings.LastIndex(file, "/e2e/"); at >= 0 {
		return file[at+1:]
	}
	return ""
}

// SPDX-License-Identifier: Apache-2.0

// Package comparison shows published reports of many drivers as one HTML file that needs no network and no script: the
// drivers by conformance profile and by area, and the findings of each. It uses the styles of package page.
//
// The page treats the content of a report as text, never as markup: html/template escapes it, and a content security policy
// admits only the embedded style. The package depends on no driver and no cluster, and the caller decides which reports are
// valid.
package comparison

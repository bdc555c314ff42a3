// SPDX-License-Identifier: Apache-2.0

// Package comparison shows published reports of many drivers side by side, as one HTML file that needs no network and no
// script: the drivers by conformance profile and by area, and what each of them was found to do. It uses the styles of
// package page.
//
// What a report says is text to the page, never markup: html/template escapes it, and a content security policy admits
// only the embedded style. The package knows no driver and no cluster, and the caller says which reports are valid.
package comparison

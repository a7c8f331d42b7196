// Package application tries docs/will-my-application-work.md with an application: a shop
// in Python.
package application

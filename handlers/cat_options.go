package handlers

import "postern/handlers/cat"

// catOptions are the parameters that all tables have.
func catOptions(h, s []string, v, help *bool, bytes, time string) cat.Options {
	return cat.Options{H: h, S: s, V: v != nil && *v, Help: help != nil && *help, Bytes: bytes, Time: time}
}

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is the version of this source; builds from a checkout add their commit.
const release = "0.1.0"

type version struct{}

func (version) Run(env *environment) error {
	_, err := fmt.Fprintf(env.stdout, "postern %s (%s)\n", versionText(), runtime.Version())
	return err
}

func versionText() string {
	text := release
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 8 {
				text += "+" + s.Value[:8]
			}
		}
	}
	return text
}

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"gopkg.in/yaml.v3"
)

// What the container files run are flags that exist, in combinations that are taken.
func TestContainerFilesRunThisProgram(t *testing.T) {
	dockerfile, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^CMD (.*)$`).FindSubmatch(dockerfile)
	if command == nil {
		t.Fatal("the Dockerfile has no CMD")
	}
	var arguments []string
	if err := json.Unmarshal(command[1], &arguments); err != nil {
		t.Fatal(err)
	}
	accepted(t, arguments)
	for _, image := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllSubmatch(dockerfile, -1) {
		if name := string(image[1]); name != "scratch" {
			pinned(t, name)
		}
	}
	if !bytes.Contains(dockerfile, []byte("\nUSER 65532")) {
		t.Error("the image runs as root")
	}

	text, err := os.ReadFile("../../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct {
			Image   string
			Command []string
			Ports   []string
		}
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	accepted(t, compose.Services["postern"].Command)
	for name, service := range compose.Services {
		if name != "postern" {
			pinned(t, service.Image)
		}
		for _, port := range service.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s is published to everybody: %s", name, port)
			}
		}
	}
}

// accepted wants a command line that the program does not refuse as wrong.
func accepted(t *testing.T, arguments []string) {
	t.Helper()
	var c commands
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(arguments); err != nil {
		t.Errorf("%q: %v", arguments, err)
	}
	if err := c.Serve.check(c.Serve.Data); err != nil {
		t.Errorf("%q: %v", arguments, err)
	}
	if !c.Serve.Insecure || !strings.HasPrefix(c.Serve.Listen, "0.0.0.0:") {
		t.Errorf("%q: nobody outside of the container could reach it", arguments)
	}
}

func pinned(t *testing.T, image string) {
	t.Helper()
	if !regexp.MustCompile(`^[a-z/]+:v?\d+\.\d+\.\d+(-\w+)?$`).MatchString(image) {
		t.Errorf("image %s is not pinned to a version", image)
	}
}

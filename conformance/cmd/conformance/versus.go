package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"postern/conformance/versus"
)

type versusCommand struct {
	Right    string `required:"" help:"The URL of the engine whose answers are right (Elasticsearch 8.15.0). Its index versus-drawn is deleted."`
	Tested   string `required:"" help:"The URL of the Postern that is compared with it."`
	Requests int    `default:"10000" help:"How many requests are drawn."`
	PerWorld int    `default:"60" help:"How many of them are about the same documents."`
	Most     int    `default:"20" help:"After how many kinds of difference to stop."`
	Seed     uint64 `help:"What to draw from; another one each time if absent."`
	Out      string `type:"path" help:"A folder for what differs, as recordings without answers."`
}

func (c *versusCommand) Run(ctx context.Context) error {
	if c.Seed == 0 {
		c.Seed = uint64(time.Now().UnixNano())
	}
	fmt.Printf("seed %d\n", c.Seed)
	e := &versus.Engines{Right: c.Right, Tested: c.Tested, Client: &http.Client{}}
	report, err := e.Run(ctx, versus.Options{Seed: c.Seed, Requests: c.Requests, PerWorld: c.PerWorld, MostFound: c.Most, Progress: func(asked, found int) {
		fmt.Fprintf(os.Stderr, "%d requests, %d kinds of difference\n", asked, found)
	}})
	if err != nil {
		return err
	}
	for i := range report.Differences {
		d := &report.Differences[i]
		fmt.Printf("\n%s\n%s\n%s\n", d.What, d.World.Mapping, d.Request.Body)
		for _, doc := range d.World.Documents {
			fmt.Println(doc)
		}
		fmt.Printf("right  %d %.2000s\ntested %d %.2000s\n", d.Right.Status, d.Right.Body, d.Tested.Status, d.Tested.Body)
		if c.Out == "" {
			continue
		}
		name := fmt.Sprintf("%d-%d", c.Seed, i)
		if err := os.WriteFile(filepath.Join(c.Out, name+".rec"), []byte(d.Recording(name, "elasticsearch 8.15.0")), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("\n%d requests, %d of them answered with 200; drawn:", report.Requests, report.Answered)
	for _, kind := range slices.Sorted(maps.Keys(report.Drawn)) {
		fmt.Printf(" %s %d,", kind, report.Drawn[kind])
	}
	fmt.Println()
	for _, why := range slices.Sorted(maps.Keys(report.Explained)) {
		fmt.Printf("explained %d times: %s\n", report.Explained[why], why)
	}
	if n := len(report.Differences); n > 0 {
		return fmt.Errorf("%d kinds of difference that nothing explains", n)
	}
	return nil
}

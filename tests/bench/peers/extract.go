// One extractor of Go over many pages; run by peers.py.
//
//	extract PAGES NAMES OUT
//
// Reads all pages, extracts the text and what the page says of itself with
// go-trafilatura as its documentation does, then writes OUT/SET/ID.txt and
// .json.  Prints the seconds of CPU time, the version, and how many pages gave
// an error.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/markusmobius/go-trafilatura"
)

const module = "github.com/markusmobius/go-trafilatura"

type page struct {
	text string
	said struct {
		Title  string `json:"title"`
		Author string `json:"author"`
		Date   string `json:"date"`
	}
}

func need(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func seconds() float64 {
	var u syscall.Rusage
	need(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, d := range info.Deps {
		if d.Path == module {
			return strings.TrimPrefix(d.Version, "v")
		}
	}
	return "?"
}

func extract(body []byte) (p page, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	r, err := trafilatura.Extract(bytes.NewReader(body),
		trafilatura.Options{EnableFallback: true})
	if err != nil {
		return p, false
	}
	p.text = r.ContentText
	if !r.Metadata.Date.IsZero() {
		p.said.Date = r.Metadata.Date.Format("2006-01-02")
	}
	p.said.Title, p.said.Author = r.Metadata.Title, r.Metadata.Author
	return p, true
}

func write(file string, p page) {
	need(os.MkdirAll(filepath.Dir(file), 0o777))
	need(os.WriteFile(file+".txt", []byte(p.text), 0o666))
	said, err := json.Marshal(p.said)
	need(err)
	need(os.WriteFile(file+".json", said, 0o666))
}

func main() {
	pages, out := os.Args[1], os.Args[3]
	list, err := os.ReadFile(os.Args[2])
	need(err)
	log.SetOutput(io.Discard)
	names := strings.Split(string(list), "\n")
	bodies, found, failed := make([][]byte, len(names)), make([]page, len(names)), 0
	for i, name := range names {
		bodies[i], err = os.ReadFile(filepath.Join(pages, name+".html"))
		need(err)
	}
	before := seconds()
	for i, body := range bodies {
		var ok bool
		if found[i], ok = extract(body); !ok {
			failed++
		}
	}
	spent := seconds() - before
	for i, name := range names {
		write(filepath.Join(out, name), found[i])
	}
	fmt.Printf("%.3f %s %d\n", spent, version(), failed)
}

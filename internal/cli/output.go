package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/view"
)

// export is a file that a result is written to.
type export struct{ kind, file string }

// show prints a judged record in the asked form, and writes figures and exports.
func (a *App) show(r record.Record, f *common, options render.Options, exports []export) error {
	c, err := render.Summarise(r)
	if err != nil {
		return fmt.Errorf("reading the record: %w", err)
	}
	if err := a.print(c, f.format, f.quiet, options); err != nil {
		return err
	}
	for _, e := range exports {
		text, err := form(c, e.kind, options)
		if err == nil {
			err = a.writeResult(e.file, text)
		}
		if err != nil {
			return incomplete("writing %s: %w", e.file, err)
		}
	}
	return a.plot(c, f.plots, options)
}

func (a *App) print(c view.Comparison, format string, quiet bool, options render.Options) error {
	text := []byte(render.Text(c, options))
	switch {
	case format == "text" && quiet:
		text = []byte(render.Verdicts(c, options))
	case format != "text":
		var err error
		if text, err = form(c, format, options); err != nil {
			return err
		}
	}
	return writeAll(a.Stdout, text)
}

func writeAll(out io.Writer, text []byte) error {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	if _, err := out.Write(text); err != nil {
		return incomplete("writing the result: %w", err)
	}
	return nil
}

// form renders a comparison by the name of a format.
func form(c view.Comparison, kind string, options render.Options) ([]byte, error) {
	switch kind {
	case "json":
		return render.JSON(c)
	case "csv":
		return render.CSV(c)
	case "markdown":
		return []byte(render.Markdown(c, options)), nil
	case "asciidoc":
		return []byte(render.AsciiDoc(c, options)), nil
	case "org", "orgmode":
		return []byte(render.Org(c, options)), nil
	case "html":
		return render.HTML(c, options, render.PlotHistogram, render.PlotWhisker, render.PlotProgression)
	}
	options.Colour = false
	return []byte(render.Text(c, options)), nil
}

// plot writes the figures asked for as KIND=FILE.
func (a *App) plot(c view.Comparison, plots []string, options render.Options) error {
	for _, text := range plots {
		kind, file, err := plotOf(text)
		if err != nil {
			return err
		}
		if err := a.plotFile(c, kind, file, options); err != nil {
			return err
		}
	}
	return nil
}

func plotOf(text string) (kind render.PlotKind, file string, err error) {
	name, file, ok := strings.Cut(text, "=")
	kind = render.PlotKind(name)
	switch {
	case !ok || file == "":
		return "", "", usage("--plot %q: write KIND=FILE, such as histogram=runs.svg", text)
	case kind != render.PlotHistogram && kind != render.PlotWhisker && kind != render.PlotProgression:
		return "", "", usage("--plot %q: a figure is a histogram, a whisker or a progression", text)
	case !strings.HasSuffix(file, ".svg") && !strings.HasSuffix(file, ".html"):
		return "", "", usage("--plot %q: the file has to end in .svg or .html", text)
	}
	return kind, file, nil
}

func (a *App) plotFile(c view.Comparison, kind render.PlotKind, file string, options render.Options) error {
	var text []byte
	var err error
	if strings.HasSuffix(file, ".html") {
		text, err = render.HTML(c, options, kind)
	} else {
		text, err = render.Plot(kind, c, options)
	}
	if err == nil {
		err = a.writeResult(file, text)
	}
	if err != nil {
		return incomplete("writing the figure %s: %w", file, err)
	}
	return nil
}

// checkPlace refuses a file that could not be written after the run.
func checkPlace(option, file string) error {
	if option != "" {
		option += " "
	}
	directory := filepath.Dir(file)
	info, err := os.Stat(directory)
	switch {
	case file == "-":
		return nil
	case err != nil:
		return usage("%s%s: %w", option, file, err)
	case !info.IsDir():
		return usage("%s%s: %s is no directory", option, file, directory)
	}
	if info, err = os.Stat(file); err == nil && info.IsDir() {
		return usage("%s%s: it is a directory", option, file)
	}
	return nil
}

// writeResult writes a file under a temporary name and renames it, so that
// nobody ever reads half of it. "-" is standard output.
func (a *App) writeResult(name string, text []byte) error {
	if name == "-" {
		return writeAll(a.Stdout, text)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		// Devices and pipes are written to, not replaced.
		return os.WriteFile(name, text, 0o644)
	}
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Chmod(file.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	return err
}

package cli

import (
	"github.com/rtcompare/rtcompare/internal/parameters"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/term"
	"github.com/rtcompare/rtcompare/internal/view"
)

func (a *App) useColor(choice string, stream term.Stream) bool {
	parsed, err := term.ParseColorChoice(choice)
	return err == nil && parsed.Use(stream, a.getenv)
}

func timeUnit(text string) (view.TimeUnit, error) {
	unit, err := parameters.ParseTimeUnit(text)
	if err != nil {
		return "", usage("--time-unit: %w", err)
	}
	return view.TimeUnit(unit), nil
}

func sortOrder(text string) (render.Sort, error) {
	order, err := parameters.ParseSort(text)
	if err != nil {
		return "", usage("--sort: %w", err)
	}
	switch order {
	case parameters.SortCommand:
		return render.SortCommand, nil
	case parameters.SortMeanTime:
		return render.SortMean, nil
	}
	return render.SortAuto, nil
}

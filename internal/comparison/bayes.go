package comparison

import (
	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/record"
)

func (r *run) bayesDesign(design *engine.OutsideDesign) {}

func (r *run) lookBayes(units []record.Unit) bool { return false }

module github.com/rtcompare/rtcompare/examples/structures

go 1.25.0

require (
	github.com/huandu/skiplist v1.2.1
	github.com/rtcompare/rtcompare v0.0.0
	github.com/tidwall/btree v1.8.2
)

require golang.org/x/sys v0.47.0 // indirect

replace github.com/rtcompare/rtcompare => ../..

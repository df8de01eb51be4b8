module github.com/rtcompare/rtcompare

go 1.25.0

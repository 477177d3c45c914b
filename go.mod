module github.com/haversack-dev/haversack

go 1.26.0

require (
	github.com/google/go-github/v60 v60.0.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

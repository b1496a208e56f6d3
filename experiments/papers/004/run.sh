#!/usr/bin/env bash
# Figures and claims of paper 004: see README.md beside this file.   TESSERA: the program [the release build of this tree]
exec bash "$(dirname "$0")/../run.sh" 004 "$@"

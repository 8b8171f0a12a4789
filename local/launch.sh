#!/bin/sh
# `sh local/launch.sh start|test|build PROGRAM [ARGUMENTS]`: launch.mjs on the Node.js that node.mjs names. By exec: signals
# reach the program itself, and its exit code is ours.
node=$(node local/node.mjs "$1") || exit
case $1 in
  # For jest's own process and its workers.
  test) exec "$node" --max-semi-space-size=64 local/launch.mjs "$@" ;;
  *) exec "$node" local/launch.mjs "$@" ;;
esac

#!/bin/sh
# Runs in the container of PostgreSQL when its volume is new. The passwords are those of the secrets' addresses.
set -eu
password() {
  sed -nE 's#^postgres://[^:]+:([^@]+)@.*#\1#p' "/run/secrets/database_url_$1"
}
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres \
  -v owner="$(password migrate)" -v gateway="$(password gateway)" \
  -v graph="$(password graph)" -v worker="$(password worker)" \
  -f /causeway/users.sql

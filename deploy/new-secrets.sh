#!/bin/sh
# Makes the secrets of the production Compose file, each in a file, in a folder that only its owner may enter. What exists
# stays. Keep a copy of the keys away from this machine: what they have sealed opens with nothing else (docs/keys.md).
#
#   deploy/new-secrets.sh [FOLDER]     by default deploy/secrets
set -eu
folder=${1:-$(dirname "$0")/secrets}
umask 077
mkdir -p "$folder"
# Containers read them as users of their own.
secret() {
  [ -e "$folder/$1" ] || {
    printf '%s\n' "$2" >"$folder/$1"
    chmod 444 "$folder/$1"
  }
}
random() { openssl rand -hex 24; }
url() { printf 'postgres://%s:%s@postgres:5432/causeway' "$1" "$(random)"; }
secret postgres_password "$(random)"
secret passwords.env "TEMPORAL_DB_PASSWORD=$(random)"
secret database_url_migrate "$(url causeway_owner)"
for role in gateway graph worker; do secret "database_url_$role" "$(url "causeway_$role")"; done
secret causeway_keys "$(openssl rand -base64 32)"
secret causeway_audit_key "$(openssl rand -base64 32)"
[ -e "$folder/smtp_url" ] || echo "missing: $folder/smtp_url, such as smtps://user:password@mail.example.com" >&2

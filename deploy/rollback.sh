#!/usr/bin/env bash
# Goes back to the release before the current one, or to the named one.
#   deploy/rollback.sh [NAME] [--restore BACKUP] [--dry-run]
# A release cannot read a database that a newer one has migrated: then --restore names the backup to return to, and what
# was written since is kept aside in the replaced file.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=deploy/lib.sh
. "$here/deploy/lib.sh"

name='' backup=''
while [ $# -gt 0 ]; do
  case $1 in
  --restore) backup=${2:?--restore needs a backup}; shift 2 ;;
  --dry-run) DRY_RUN=1; shift ;;
  -*) die "rollback.sh does not know $1. It takes a release's name, --restore BACKUP and --dry-run." ;;
  *) [ -z "$name" ] || die "Name one release, not $name and $1."; name=$1; shift ;;
  esac
done
need_root
lock
now=$(current_release)
[ -n "$now" ] || die "There is no release here yet."
[ -n "$name" ] || name=$(find "$APP/releases" -mindepth 1 -maxdepth 1 -type d ! -name '.*' -printf '%f\n' | sort | awk -v now="${now##*/}" '$0 < now' | tail -n 1)
target=$APP/releases/$name
if [ -z "$name" ] || [ ! -d "$target" ]; then
  die "There is no older release: $(find "$APP/releases" -mindepth 1 -maxdepth 1 -printf '%f ' 2>/dev/null)"
fi
[ "$target" != "$now" ] || die "$name serves already."

schema='0 0'
[ -n "$DRY_RUN" ] || schema=$(in_booth "$target" deploy/schema.ts)
read -r -a schema <<<"$schema"
if [ "${schema[0]}" -gt "${schema[1]}" ] && [ -z "$backup" ]; then
  die "The database has schema ${schema[0]}, $name knows up to ${schema[1]}. Name a backup from before the update: rollback.sh $name --restore FILE (see \`ls $STATE/backups\`). What was written since will be kept aside, not in use."
fi

keep_on rollback
say "— ${now##*/} → $name"
# Whatever fails while nothing runs: the booth is started again, with the release that the link names then.
trap '[ -n "$DRY_RUN" ] || start_booth' EXIT
stand_by
stop_booth
if [ -n "$backup" ] && ! in_booth "$target" deploy/restore.ts "$backup"; then
  die "The backup could not be restored: ${now##*/} serves on."
fi
switch_to "$target"
install_units "$target"
start_booth
trap - EXIT
is_healthy "$target" || die "$name is not healthy: see docs/RUNBOOK.md."
if [ -n "$DRY_RUN" ]; then say "nothing was changed; $name would serve"; else say "$name serves"; fi

#!/usr/bin/env bash
# Brings a release up beside the running one and switches to it; goes back by itself when it is not healthy.
#   deploy/update.sh ARCHIVE NAME [--bun FILE] [--dry-run]
# ARCHIVE is a tar.gz of the committed tree, NAME such as 20260501T120000Z-1a2b3c4.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=deploy/lib.sh
. "$here/deploy/lib.sh"

KEEP=3
words=() bun=''
while [ $# -gt 0 ]; do
  case $1 in
  --bun) bun=${2:?--bun needs a file or a URL}; shift 2 ;;
  --dry-run) DRY_RUN=1; shift ;;
  -*) die "update.sh does not know $1. It takes ARCHIVE, NAME, --bun FILE and --dry-run." ;;
  *) words+=("$1"); shift ;;
  esac
done
archive=${words[0]:-} name=${words[1]:-}
if [ ! -f "$archive" ] || [ ${#words[@]} -gt 2 ]; then die "Say which archive: update.sh ARCHIVE NAME"; fi
[[ $name =~ ^[0-9]{8}T[0-9]{6}Z-[0-9a-z]{1,40}$ ]] || die "A release's name looks like 20260501T120000Z-1a2b3c4."
need_root
[ -n "$DRY_RUN" ] || [ -e "$ENV_FILE" ] || die "There is no $ENV_FILE: run deploy/setup.sh first."
lock

old=$(current_release)
new=$APP/releases/$name
[ ! -e "$new" ] || die "There is a release $name already."
keep_on update

say "— unpacking $name"
work=$APP/releases/.$name.new
# It gets its name when it is to serve, so that `rollback.sh` never meets one that an update died over.
at=$work
drop() { run rm -rf "$work" "$new"; }

# How far it came decides what an error means, whichever command it comes from: before the switch the new release goes,
# in the midst of it the old one comes back.
stage=preparing
leave() {
  [ -z "$DRY_RUN" ] || return 0
  case $stage in
  preparing) drop ;;
  switching) go_back ;;
  esac
}
trap leave EXIT
# Also what a power cut left of others: the lock says that nobody works on it.
run find "$APP/releases" -mindepth 1 -maxdepth 1 -name '.*.new' -exec rm -rf {} +
run install -d -m 0755 "$work"
run tar -xzf "$archive" -C "$work" --no-same-owner ||
  die "The archive could not be unpacked: it is broken, or the disk is full (\`df -h\`). The running release was not touched."
if [ -n "$DRY_RUN" ]; then say "would link the Bun that $name pins"; else
  install_bun "$work" "$bun"
  ln -s "$APP/bun/$(bun_version "$work")/bun" "$work/bun"
fi
say '— dependencies, exactly those of bun.lock'
run env -C "$work" ./bun install --frozen-lockfile --production --silent ||
  die "The dependencies could not be installed: no network, or a full disk (\`df -h\`). The running release was not touched."
run chmod -R u=rwX,go=rX "$work"

say '— rehearsal on a copy of the database'
if ! in_booth "$at" deploy/rehearse.ts; then
  die "The release does not run on a copy of today's data: it was removed, the running one was not touched."
fi

schema='0 0'
[ -n "$DRY_RUN" ] || schema=$(in_booth "$at" deploy/schema.ts)
read -r -a schema <<<"$schema"
found=${schema[0]} known=${schema[1]} safe=''

go_back() {
  stage=returning
  say "— going back${old:+ to ${old##*/}}"
  stop_booth || true
  [ -n "$old" ] || stand_down
  [ -n "$old" ] || die "There is no older release to go back to: look at \`journalctl -u sticker-api -u sticker-bot\`."
  if [ -n "$safe" ]; then
    # The nightly backup, or somebody's doctor, may have the database open for some seconds.
    for try in 1 2 3 4 5 6; do
      if in_booth "$at" deploy/restore.ts "$safe"; then break; fi
      if [ "$try" = 6 ]; then
        stand_down
        die "The backup $safe could not be restored: nothing runs now, see docs/RUNBOOK.md."
      fi
      sleep 5
    done
  fi
  [ "$(current_release)" = "$old" ] || switch_to "$old"
  install_units "$old" || say "the units could not be put back: ${old##*/} runs with those of $name"
  start_booth
  is_healthy "$old" || die "The old release is not healthy either: see docs/RUNBOOK.md."
  drop
  die "The new release did not come up healthy: ${old##*/} serves again${safe:+, on the database as it was before the update (the other is kept aside)}."
}

say '— switching'
stand_by
stage=switching
stop_booth
if [ "$found" != 0 ] && [ "$found" != "$known" ]; then
  # Nobody writes now: this is what to return to should the new schema not live.
  made=$(in_booth "$at" deploy/backup.ts --local) || {
    stage=preparing
    start_booth
    die "No backup could be made: the old release serves on."
  }
  say "$made"
  # That very one: another may be dated later, by a clock that was wrong.
  safe=$(sed -n '1s|^.*/\(app-[0-9TZ]*\.db\.gz\): .*$|\1|p' <<<"$made")
  if [ -z "$safe" ] || [ ! -e "$STATE/backups/$safe" ]; then
    stage=preparing
    start_booth
    die "The backup that was just made is not there (is this machine's clock right?): the old release serves on."
  fi
fi
run mv "$work" "$new"
at=$new
switch_to "$new"
install_units "$new"
start_booth
is_healthy "$new" || go_back
stage=serving

say '— tidying'
if [ -z "$DRY_RUN" ]; then
  kept=0
  for release in $(find "$APP/releases" -mindepth 1 -maxdepth 1 -type d ! -name '.*' -printf '%f\n' | sort -r); do
    kept=$((kept + 1))
    # The one before stays, whatever the clocks of the workstations made of the names.
    [ "$kept" -le "$KEEP" ] || [ "$APP/releases/$release" = "$new" ] || [ "$APP/releases/$release" = "$old" ] || rm -rf "${APP:?}/releases/$release"
  done
  used=$(readlink "$APP"/releases/*/bun || true)
  for bun in "$APP"/bun/*/; do
    grep -qxF "${bun}bun" <<<"$used" || rm -rf "$bun"
  done
fi
if [ -n "$DRY_RUN" ]; then say "nothing was changed; $name would serve"; else say "$name serves"; fi

#!/usr/bin/env bash
# `booth`, the operators' command on the server: runs the tools as the booth's own user with the booth's own settings.
set -euo pipefail
release=$(readlink -e /opt/sticker-booth/current) || {
  echo "There is no release here yet: send one with deploy/push.ts from a workstation (docs/OPERATIONS.md)." >&2
  exit 1
}
# shellcheck source=deploy/lib.sh
. "$release/deploy/lib.sh"

usage() {
  cat <<'TEXT'
booth doctor               can the booth open?
booth backup               a backup now
booth check [FILE]         can the newest (or the named) backup be restored?
booth restore FILE         brings a backup back; --offsite [NAME] fetches it first, --dry-run only looks
booth drill                the restore drill, now
booth stop | start         both services
booth status               both services and the timers
booth logs [api|bot]       follows the logs
TEXT
}

word=${1:-}
[ $# -eq 0 ] || shift
case $word in
doctor) need_root; in_booth "$release" deploy/doctor.ts ;;
backup) need_root; in_booth "$release" deploy/backup.ts "$@" ;;
check) need_root; in_booth "$release" deploy/backup-check.ts "$@" ;;
restore) need_root; in_booth "$release" deploy/restore.ts "$@" ;;
drill) need_root; in_booth "$release" deploy/drill.ts ;;
stop) need_root; stop_booth ;;
start) need_root; start_booth ;;
status) systemctl --no-pager --lines=0 status sticker-api.service sticker-bot.service || true; systemctl --no-pager list-timers 'sticker-*' ;;
logs)
  case ${1:-} in '' | api | bot) ;; *) usage; exit 64 ;; esac
  journalctl --follow --lines=100 --unit="sticker-${1:-*}"
  ;;
*) usage; [ -z "$word" ] || exit 64 ;;
esac

#!/usr/bin/env bash
# Installs, checks and reloads the booth's own site in a Caddy that also serves others.
#   deploy/caddy.sh DOMAIN [API] [--dry-run]
# Only /etc/caddy/sites/stickers.caddy is ours. If the main file does not read that folder yet, one import line is added to
# its end. Whatever Caddy refuses is undone before Caddy sees it.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=deploy/lib.sh
. "$here/deploy/lib.sh"

MAIN=/etc/caddy/Caddyfile
SITE=/etc/caddy/sites/stickers.caddy
IMPORT='import /etc/caddy/sites/*.caddy'

words=()
for word in "$@"; do
  if [ "$word" = --dry-run ]; then DRY_RUN=1; else words+=("$word"); fi
done
domain=${words[0]:-} api=${words[1]:-127.0.0.1:8000}
[[ $domain =~ ^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$ ]] || die "Say which domain: caddy.sh stickers.example [127.0.0.1:8000]"
[[ $api =~ ^[a-z0-9.:]+$ ]] || die "The api's address is HOST:PORT, such as 127.0.0.1:8000."
need_root

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed "s|{\$BOOTH_SITE:[^}]*}|$domain|; s|{\$BOOTH_API:[^}]*}|$api|; s|{\$BOOTH_LOG:\([^}]*\)}|\1|" \
  "$here/deploy/caddy/stickers.caddy" >"$work/stickers.caddy"
! grep -q BOOTH_ "$work/stickers.caddy" || die "A placeholder in the site file was not filled in."

if [ -n "$DRY_RUN" ]; then
  say "would install $SITE for $domain, passing to $api; validate $MAIN; reload Caddy"
  grep -qsE '^\s*import\s+(/etc/caddy/)?sites/' "$MAIN" || say "would add to $MAIN: $IMPORT"
  exit 0
fi

[ -e "$MAIN" ] || die "There is no $MAIN: is Caddy installed?"
cp -p "$MAIN" "$work/main.before"
[ ! -e "$SITE" ] || cp -p "$SITE" "$work/site.before"

undo() {
  cp -p "$work/main.before" "$MAIN"
  if [ -e "$work/site.before" ]; then cp -p "$work/site.before" "$SITE"; else rm -f "$SITE"; fi
}

install -d -m 0755 "${SITE%/*}"
install -m 0644 "$work/stickers.caddy" "$SITE"
grep -qE '^\s*import\s+(/etc/caddy/)?sites/' "$MAIN" || printf '\n%s\n' "$IMPORT" >>"$MAIN"

# As Caddy's own user: checking makes the log file, and one that root made Caddy could not write.
as_caddy=()
id caddy >/dev/null 2>&1 && as_caddy=(runuser -u caddy --)
if ! "${as_caddy[@]}" caddy validate --config "$MAIN" --adapter caddyfile >"$work/verdict" 2>&1; then
  undo
  tail -n 3 "$work/verdict" >&2
  die "Caddy refuses this configuration; everything is as it was."
fi
if systemctl is-active --quiet caddy && ! systemctl reload caddy; then
  undo
  systemctl reload caddy || true
  die "Caddy did not take the new configuration; everything is as it was."
fi
systemctl is-active --quiet caddy || systemctl start caddy
say "Caddy serves $domain"

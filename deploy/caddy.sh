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
IMPORT="import $SITE"
imports_sites() { grep -qsE '^\s*import\s+(/etc/caddy/)?sites/(\*(\.caddy)?|stickers\.caddy)(\s|$)' "$MAIN"; }

words=()
for word in "$@"; do
  if [ "$word" = --dry-run ]; then DRY_RUN=1; else words+=("$word"); fi
done
domain=${words[0]:-} api=${words[1]:-127.0.0.1:8000}
[ -n "$domain" ] || die "Say which domain: caddy.sh stickers.example [127.0.0.1:8000]"
check_site "$domain" "$api"
need_root

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed "s|{\$BOOTH_SITE:[^}]*}|$domain|; s|{\$BOOTH_API:[^}]*}|$api|; s|{\$BOOTH_LOG:\([^}]*\)}|\1|" \
  "$here/deploy/caddy/stickers.caddy" >"$work/stickers.caddy"
! grep -q BOOTH_ "$work/stickers.caddy" || die "A placeholder in the site file was not filled in."

if [ -n "$DRY_RUN" ]; then
  say "would install $SITE for $domain, passing to $api; validate $MAIN; reload Caddy"
  imports_sites || say "would add to $MAIN: $IMPORT"
  exit 0
fi

[ -e "$MAIN" ] || die "There is no $MAIN: is Caddy installed?"
MAIN=$(readlink -e "$MAIN")
KEPT=/etc/caddy/.before-stickers

# What was there comes back by renames alone: the neighbour's file is never half, not even on a full disk.
changed=''
undo() {
  [ -e "$KEPT.main" ] && mv -fT "$KEPT.main" "$MAIN"
  if [ -e "$KEPT.site" ]; then mv -fT "$KEPT.site" "$SITE"; else rm -f "$SITE"; fi
  changed=''
}
leave() {
  [ -z "$changed" ] || undo
  rm -rf "$work" "$KEPT.main" "$KEPT.site" "$MAIN.new"
}
trap leave EXIT
cp -p "$MAIN" "$KEPT.main"
[ ! -e "$SITE" ] || cp -p "$SITE" "$KEPT.site"
changed=1

install -d -m 0755 "${SITE%/*}"
put 0644 "$work/stickers.caddy" "$SITE"
if ! imports_sites; then
  cp -p "$MAIN" "$MAIN.new"
  printf '\n%s\n' "$IMPORT" >>"$MAIN.new"
  mv -fT "$MAIN.new" "$MAIN"
fi

# As Caddy's own user: checking makes the log file, and one that root made Caddy could not write.
as_caddy=()
id caddy >/dev/null 2>&1 && as_caddy=(runuser -u caddy --)
if ! "${as_caddy[@]}" caddy validate --config "$MAIN" --adapter caddyfile >"$work/verdict" 2>&1; then
  tail -n 3 "$work/verdict" >&2
  die "Caddy refuses this configuration; everything is as it was."
fi
if systemctl is-active --quiet caddy && ! systemctl reload caddy; then
  undo
  systemctl reload caddy || true
  die "Caddy did not take the new configuration; everything is as it was."
fi
changed=''
systemctl is-active --quiet caddy || systemctl start caddy ||
  die "Caddy does not start. \`ss -tlnp\` shows whether another program has port 80 or 443, \`journalctl -u caddy -n 20\` what Caddy says. Mend it, then run this again."
say "Caddy serves $domain"

#!/usr/bin/env bash
# From a bare Debian or Ubuntu server to one that waits for its first release. Can be run again at any time.
#   deploy/setup.sh --domain stickers.example [--api 127.0.0.1:8000] [--bun bun-linux-x64.tgz] [--dry-run]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=deploy/lib.sh
. "$here/deploy/lib.sh"

domain='' bun='' api=127.0.0.1:8000
while [ $# -gt 0 ]; do
  case $1 in
  --domain) domain=${2:?--domain needs a name}; shift 2 ;;
  --bun) bun=${2:?--bun needs a file or a URL}; shift 2 ;;
  --api) api=${2:?--api needs HOST:PORT}; shift 2 ;;
  --dry-run) DRY_RUN=1; shift ;;
  *) die "setup.sh does not know $1. It takes --domain NAME, --api HOST:PORT, --bun FILE and --dry-run." ;;
  esac
done
[ -n "$domain" ] || die "Say which domain: setup.sh --domain stickers.example"
check_site "$domain" "$api"
need_root
lock

say '— packages'
missing=''
for pair in curl:curl openssl:openssl gpg:gpg ufw:ufw; do
  command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair#*:}"
done
if [ -n "$missing" ]; then
  run apt-get update -q
  # shellcheck disable=SC2086 # a list of names
  run apt-get install -y -q --no-install-recommends ca-certificates $missing
fi
if ! command -v caddy >/dev/null; then
  say '— Caddy, from its authors'
  keyring=/usr/share/keyrings/caddy-stable-archive-keyring.gpg
  run bash -c "set -o pipefail; curl -fsSL https://dl.cloudsmith.io/public/caddy/stable/gpg.key | gpg --batch --yes --dearmor -o $keyring"
  run bash -c "curl -fsSL -o /etc/apt/sources.list.d/caddy-stable.list https://dl.cloudsmith.io/public/caddy/stable/debian.deb.txt"
  run chmod 0644 "$keyring" /etc/apt/sources.list.d/caddy-stable.list
  run apt-get update -q
  run apt-get install -y -q caddy
fi

say '— user and folders'
id "$BOOTH_USER" >/dev/null 2>&1 ||
  run useradd --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin "$BOOTH_USER"
run install -d -m 0755 "$APP" "$APP/bun" "$APP/releases"
run install -d -m 0750 -o root -g "$BOOTH_USER" "${ENV_FILE%/*}"
run install -d -m 0700 -o "$BOOTH_USER" -g "$BOOTH_USER" "$STATE"
if [ ! -e "$ENV_FILE" ]; then
  run install -m 0640 -o root -g "$BOOTH_USER" "$here/.env.example" "$ENV_FILE"
  run sed -i "s|^#\{0,1\}PUBLIC_URL=.*|PUBLIC_URL=https://$domain|; s|^DATA_DIR=.*|#&|; s|^#\{0,1\}PORT=.*|PORT=${api##*:}|" "$ENV_FILE"
  say "settings: fill in $ENV_FILE (BOT_TOKEN, ADMIN_CHAT_ID and what else the booth shall do)"
fi
run chown root:"$BOOTH_USER" "$ENV_FILE"
run chmod 0640 "$ENV_FILE"

say '— Bun'
install_bun "$here" "$bun"

say '— units'
install_units "$here"
run systemctl enable --quiet sticker-api.service sticker-bot.service
run systemctl enable --quiet --now sticker-backup.timer sticker-backup-check.timer

say '— Caddy'
if [ -n "$DRY_RUN" ]; then "$here/deploy/caddy.sh" "$domain" "$api" --dry-run; else "$here/deploy/caddy.sh" "$domain" "$api"; fi

say '— firewall'
# The door that we came through stays open, wherever it is; sudo does not tell of it, sshd does.
ssh_ports=$(printf '%s' "${SSH_CONNECTION:-}" | cut -d' ' -f4; { sshd -T || /usr/sbin/sshd -T; } 2>/dev/null | sed -n 's/^port //p' || true)
# shellcheck disable=SC2086 # a list of numbers
for port in $(printf '%s\n' 22 80 443 $ssh_ports | sort -un); do run ufw allow "$port/tcp"; done
run ufw --force enable

say "done: ${DRY_RUN:+(nothing was changed) }next is $ENV_FILE, then a release by deploy/push.ts"

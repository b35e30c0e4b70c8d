#!/usr/bin/env bash
# What the scripts on the server share: places, words, and how to run something as the booth would. Sourced, never run.

APP=/opt/sticker-booth
STATE=/var/lib/sticker-booth
ENV_FILE=/etc/sticker-booth/env
UNITS=/etc/systemd/system
BOOTH_USER=sticker
export APP STATE ENV_FILE UNITS BOOTH_USER

DRY_RUN=${DRY_RUN:-}
# Names sort, and patterns match, alike on every machine, whatever language an SSH client asks for.
export LC_ALL=C.UTF-8

say() { printf '%s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }

# Runs a command, or says what it would run.
run() {
  if [ -n "$DRY_RUN" ]; then
    printf 'would run:'
    printf ' %q' "$@"
    printf '\n'
  else
    "$@"
  fi
}

need_root() { [ -n "$DRY_RUN" ] || [ "$(id -u)" = 0 ] || die "Run this as root (sudo)."; }

# One setup, update or rollback at a time.
lock() {
  [ -n "$DRY_RUN" ] && return
  mkdir -p "$APP"
  exec 9>"$APP/.lock"
  # Somebody who stands by may hold it for a moment.
  flock -w 2 9 || die "Another update is running on this machine: wait for it."
}

# What follows is also written down, and goes on when nobody listens any more: a lost SSH connection must not leave a
# server between two releases.
keep_on() {
  [ -n "$DRY_RUN" ] && return
  trap '' HUP PIPE
  exec > >(exec tee -p -a "$APP/$1.log" 9>&-) 2> >(exec tee -p -a "$APP/$1.log" >&2 9>&-)
}

# in_booth FOLDER ARGUMENTS…: runs Bun in a release just as the units do: same user, settings, data folder.
in_booth() {
  local release=$1
  shift
  run systemd-run --quiet --wait --pipe --collect --service-type=exec \
    --uid="$BOOTH_USER" --gid="$BOOTH_USER" \
    --property=WorkingDirectory="$release" --property=EnvironmentFile="$ENV_FILE" \
    --property=StateDirectory=sticker-booth --property=StateDirectoryMode=0700 --property=UMask=0077 \
    --property=PrivateTmp=yes --setenv=NODE_ENV=production --setenv=DATA_DIR="$STATE" \
    --setenv=BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 \
    "$release/bun" "$@"
}

# The Bun version that a release was tested with.
bun_version() { sed -n 's/^ *"bun": "\([0-9][0-9.]*\)",\{0,1\}$/\1/p' "$1/package.json"; }

# The npm package of Bun for this machine.
bun_package() {
  case $(uname -m) in
  x86_64) say bun-linux-x64 ;;
  aarch64) say bun-linux-aarch64 ;;
  *) die "Bun is not made for $(uname -m)." ;;
  esac
}

# install_bun RELEASE TARBALL: puts the release's Bun beside the others. TARBALL is a file or a URL of the npm package;
# its SHA-512 must be the one that bun.lock, which is part of the release, has for it.
install_bun() {
  local release=$1 source=$2 version package expected given work
  version=$(bun_version "$release")
  [ -n "$version" ] || die "package.json of $release does not pin Bun."
  if [ -x "$APP/bun/$version/bun" ]; then
    say "Bun $version is here"
    return
  fi
  package=$(bun_package)
  if [ -n "$DRY_RUN" ]; then
    say "would install Bun $version ($package) into $APP/bun/$version, checked against bun.lock"
    return
  fi
  [ -n "$source" ] || die "Bun $version is not here: give --bun with the npm package @oven/$package@$version (a .tgz file or its URL)."
  work=$(mktemp -d)
  case $source in
  http://* | https://*) curl -fsSL --max-time 300 -o "$work/bun.tgz" "$source" ;;
  *) cp -- "$source" "$work/bun.tgz" ;;
  esac
  expected=$(sed -n "s|^ *\"@oven/$package\": \\[\"@oven/$package@$version\",.*\"sha512-\([A-Za-z0-9+/=]*\)\"\\],\{0,1\}\$|\1|p" "$release/bun.lock")
  given=$(openssl dgst -sha512 -binary "$work/bun.tgz" | openssl base64 -A)
  if [ -z "$expected" ] || [ "$expected" != "$given" ]; then
    rm -rf "$work"
    die "The Bun package is not the one that bun.lock names (SHA-512 differs): nothing was installed."
  fi
  tar -xzf "$work/bun.tgz" -C "$work" package/bin/bun
  install -d -m 0755 "$APP/bun" "$APP/bun/$version"
  install -m 0755 "$work/package/bin/bun" "$APP/bun/$version/.bun.new"
  mv "$APP/bun/$version/.bun.new" "$APP/bun/$version/bun"
  rm -rf "$work"
  say "Bun $version installed, its SHA-512 is that of bun.lock"
}

# check_site DOMAIN API: are they what Caddy and the settings can be given?
check_site() {
  [[ $1 =~ ^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$ ]] || die "'$1' is no domain: name it in small letters, without https://, such as stickers.example."
  [[ $2 =~ ^[a-z0-9.-]+:[0-9]{1,5}$ ]] || die "The api's address is HOST:PORT, such as 127.0.0.1:8000, not '$2'."
}

# put MODE FILE PLACE: whole or not at all; a disk that is full leaves what was there.
put() {
  if cmp -s "$2" "$3"; then
    run chmod "$1" "$3"
  elif [ -n "$DRY_RUN" ]; then
    run install -m "$1" "$2" "$3"
  elif ! install -m "$1" "$2" "$3.new" || ! mv -fT "$3.new" "$3"; then
    rm -f "$3.new"
    return 1
  fi
}

# install_units RELEASE: the release's units.
install_units() {
  local release=$1 version unit
  run install -d -m 0755 "$UNITS/sticker-.service.d" || return
  for unit in "$release"/deploy/systemd/*.service "$release"/deploy/systemd/*.timer; do
    put 0644 "$unit" "$UNITS/${unit##*/}" || return
  done
  put 0644 "$release/deploy/systemd/sticker-.service.d/hardening.conf" "$UNITS/sticker-.service.d/hardening.conf" || return
  version=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
  if [ "${version:-0}" -ge 254 ]; then
    for unit in api bot; do
      run install -d -m 0755 "$UNITS/sticker-$unit.service.d"
      put 0644 "$release/deploy/systemd/backoff.conf" "$UNITS/sticker-$unit.service.d/backoff.conf" || return
    done
  fi
  put 0755 "$release/deploy/booth.sh" /usr/local/bin/booth || return
  run systemctl daemon-reload
}

current_release() { readlink -e "$APP/current" 2>/dev/null || true; }

# Both stop with their work in hand kept; the bot first, so that kiosks are served as long as possible.
stop_booth() { run systemctl stop sticker-bot.service && run systemctl stop sticker-api.service; }

# What a script cannot mend that is killed outright (kill -9, no memory left) while nothing runs: once its lock is free,
# both services are started. After an end that left them running this changes nothing. Its name is none of
# sticker-*: those are shut in (sticker-.service.d).
stand_by() {
  # An older one may still wait for the lock that is ours now.
  stand_down
  run systemd-run --quiet --collect --unit=stand-by-for-sticker \
    bash -c "flock '$APP/.lock' true; systemctl reset-failed sticker-api sticker-bot; systemctl start sticker-api sticker-bot"
}
# Nothing is to be started, or somebody else sees to it.
stand_down() { run systemctl stop stand-by-for-sticker.service 2>/dev/null || true; }

# A unit that had given up may be started again.
start_booth() {
  run systemctl reset-failed sticker-api.service sticker-bot.service 2>/dev/null || true
  run systemctl start sticker-api.service sticker-bot.service
}

# In one rename: there is no moment without a release.
switch_to() {
  run ln -sfn "$1" "$APP/.current.new"
  run mv -T "$APP/.current.new" "$APP/current"
}

HEALTHY_WITHIN_S=${HEALTHY_WITHIN_S:-90}
is_healthy() { in_booth "$1" deploy/await-health.ts "$HEALTHY_WITHIN_S"; }

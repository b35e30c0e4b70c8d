#!/usr/bin/env bash
# Boots the real systemd as process 1 of namespaces of its own, on a throw-away layer over this machine's files: users, units,
# firewall and network are its own. Run under `unshare --mount`.
#   machine.sh FOLDER REPOSITORY [tidy]
set -euo pipefail
folder=$1 repository=$2

if [ "${3:-}" != inside ]; then
  # A control group of its own, too: two machines in one would each wait for the other's processes to end.
  # Where none can be made, one machine at a time has to do.
  mount --make-rprivate /
  if mount -t cgroup2 cgroup2 "$folder"; then
    group=$folder$(sed -n 's/^0:://p' /proc/self/cgroup)/${folder##*/}
    if [ "${3:-}" = tidy ]; then exec find "$group" -depth -type d -exec rmdir {} +; fi
    { mkdir "$group" && echo $$ >"$group/cgroup.procs"; } || true
    umount -l "$folder"
  fi
  if [ "${3:-}" = tidy ]; then exit; fi
  exec unshare --pid --mount --net --cgroup --ipc --uts --fork --kill-child bash "$0" "$folder" "$repository" inside
fi

mount --make-rprivate /
mount -t tmpfs -o size=2g tmpfs "$folder"
mkdir "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
root=$folder/root
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
for place in run tmp var/log etc/systemd/system opt; do mount -t tmpfs tmpfs "$root/$place"; done
mkdir -p "$root/$repository"
mount --bind -o ro "$repository" "$root/$repository"

# What would reach out of the namespaces, or is not asked here.
for unit in systemd-sysctl systemd-binfmt systemd-modules-load systemd-remount-fs systemd-udevd systemd-udev-trigger \
  systemd-networkd systemd-resolved systemd-timesyncd systemd-logind apt-daily apt-daily-upgrade; do
  ln -s /dev/null "$root/etc/systemd/system/$unit.service"
done
printf '[Unit]\nDescription=A machine to try the deployment on\nRequires=basic.target\nAfter=basic.target\n' \
  >"$root/etc/systemd/system/trial.target"
mkdir -p "$root/var/log/caddy"
chown caddy:caddy "$root/var/log/caddy" 2>/dev/null || true
ip link set lo up
# Not chroot: a process under one may not make the user namespaces of PrivateUsers=.
mkdir -p "$root/mnt"
cd "$root"
pivot_root . mnt
umount -l /mnt
exec env -i container=trial PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --unit=trial.target --show-status=false

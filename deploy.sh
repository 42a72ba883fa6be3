#!/usr/bin/env bash
# Puts the Ubongo box on a Raspberry Pi, brings it up to date, or takes it off again.
#
#   ./deploy.sh [options] user@host [ssh options]   from Linux or macOS, over ssh
#   ./deploy.sh [options] --local                   on the Raspberry Pi itself
#
#   --dry-run       say what would be done, change nothing
#   --status        say what is installed and how it is, change nothing
#   --uninstall     take everything away but the store (past matches); the config is laid beside it
#   --purge         with --uninstall: the store as well
#   --wheels DIR    take Python packages from this folder, for a Pi without network
#   --help
#
# Run it again to update: what is right already is left as it is. Each step is a check, then an act, then a check.
# The new release is built beside the old one and takes over only when it says that its buttons answer.
# Exit: 0 done, 1 something failed (the Pi is as it was or says what is left), 2 wrong use.
#
# The first half runs on your computer: no newer bash than 3.2 and no GNU-only flags there. The second half
# ("on the Pi") runs on the Pi, as you with sudo.
set -euo pipefail

# ---------------------------------------------------------------- on your computer
wrong_use() { printf 'deploy.sh: %s\n' "$*" >&2; exit 2; }
fail() { printf 'deploy.sh: %s\n' "$*" >&2; exit 1; }
usage() { sed -n '2,/^$/{/^#/s/^# \{0,1\}//p;}' "$0"; }

here=$(cd "$(dirname "$0")" && pwd)
mode=install dry=no purge=no wheels='' host='' on_pi=no
ssh_options=()

parse() {
  while [ $# -gt 0 ]; do
    case $1 in
      --dry-run) dry=yes ;;
      --status) mode=status ;;
      --uninstall) mode=uninstall ;;
      --purge) purge=yes ;;
      --wheels) [ $# -ge 2 ] || wrong_use "--wheels needs a folder"; wheels=$2; shift ;;
      --local) host=localhost ;;
      --on-pi) on_pi=yes ;; # how the first half calls the second
      --help | -h) usage; exit 0 ;;
      --*) wrong_use "unknown option $1 (see --help)" ;;
      *) if [ -z "$host" ] && [ "${1#-}" = "$1" ]; then host=$1; else ssh_options+=("$1"); fi ;;
    esac
    shift
  done
  [ "$on_pi" = yes ] || [ -n "$host" ] || wrong_use "where to? ./deploy.sh user@host, or --local on the Pi itself (see --help)"
  [ "$purge" = no ] || [ "$mode" = uninstall ] || wrong_use "--purge goes with --uninstall"
  [ -z "$wheels" ] || [ -d "$wheels" ] || wrong_use "--wheels: there is no folder $wheels"
  case $host in root@*) wrong_use "not as root: log in as the Pi's own user, who may use sudo" ;; esac
  if [ "$host" = localhost ] && [ ${#ssh_options[@]} -gt 0 ]; then wrong_use "what is ${ssh_options[0]}? on the Pi itself there is no ssh"; fi
}

# What goes over: the program, its units and this script. Nothing that a working copy collects besides.
shipped=(deploy.sh pyproject.toml README.md LICENSE device systemd)

# shellcheck disable=SC2029 # what is said to the Pi is put together here, of our own words
remote() { ssh ${control[@]+"${control[@]}"} ${ssh_options[@]+"${ssh_options[@]}"} "$host" "$@"; }

over_ssh() {
  local scratch staging flags tty
  for f in "${shipped[@]}"; do [ -e "$here/$f" ] || fail "$here/$f is missing: run deploy.sh from a whole copy of the project"; done
  # One connection for all, so that a password is asked once. The socket's path must stay short (macOS).
  scratch=$(mktemp -d /tmp/ubongo-box.XXXXXX)
  control=(-o ControlMaster=auto -o "ControlPath=$scratch/c" -o ControlPersist=60)
  # shellcheck disable=SC2064 # the paths of now
  trap "ssh -o 'ControlPath=$scratch/c' -O exit '$host' >/dev/null 2>&1 || true; rm -rf '$scratch'" EXIT
  staging=$(remote 'umask 077; mktemp -d /tmp/ubongo-box.XXXXXX') || fail "cannot log in at $host: try  ssh $host  by hand first"
  case $staging in /tmp/ubongo-box.*) ;; *) fail "$host answered '$staging' instead of a folder's name (does its login script print something?)" ;; esac
  COPYFILE_DISABLE=1 tar -C "$here" --exclude __pycache__ --exclude .DS_Store -cf - "${shipped[@]}" |
    remote "tar --warning=no-unknown-keyword -C $staging -xf -" || fail "the copy to $host broke off; run deploy.sh again"
  flags="--on-pi"
  [ "$mode" = install ] || flags="$flags --$mode"
  [ "$dry" = no ] || flags="$flags --dry-run"
  [ "$purge" = no ] || flags="$flags --purge"
  if [ -n "$wheels" ]; then
    remote "mkdir $staging/wheels"
    COPYFILE_DISABLE=1 tar -C "$wheels" -cf - . | remote "tar --warning=no-unknown-keyword -C $staging/wheels -xf -" || fail "the copy of the wheels broke off"
    flags="$flags --wheels $staging/wheels"
  fi
  tty=-T
  [ ! -t 0 ] || tty=-t # sudo may want to ask for a password
  remote $tty "bash $staging/deploy.sh $flags; code=\$?; rm -rf $staging; exit \$code"
}

# ---------------------------------------------------------------- on the Pi
name=ubongo-box
base=/opt/$name releases=/opt/$name/releases venvs=/opt/$name/venvs current=/opt/$name/current
config=/etc/$name.toml store=/var/lib/$name units=/etc/systemd/system
rule=/etc/polkit-1/rules.d/50-$name.rules
modules=/etc/modules-load.d/$name.conf
timer_time=$units/$name-gamenight.timer.d/time.conf service_time=$units/$name-gamenight.service.d/time.conf
spi_access=$units/$name.service.d/spi.conf
command=/usr/local/bin/$name
# link and where to: all through `current`, so that units, command and program change in the same instant
links=(
  "$units/$name.service" "$current/systemd/$name.service"
  "$units/$name-gamenight.service" "$current/systemd/$name-gamenight.service"
  "$units/$name-gamenight.timer" "$current/systemd/$name-gamenight.timer"
  # not by "systemctl enable": that would name this very release, which a later one takes away
  "$units/multi-user.target.wants/$name.service" "../$name.service"
  "$command" "$current/bin/$name"
)
reboot=''

say() { printf '%-6s %s\n' "$1" "$2"; }
as_root() { sudo "$@"; }
# put FILE: standard input becomes FILE, whole or not at all, even if the power goes.
put() {
  as_root mkdir -p "$(dirname "$1")"
  as_root sh -c "umask 022; cat >'$1.new' && sync '$1.new' && mv -f '$1.new' '$1'"
}

# step WHAT CHECK ACT: nothing if CHECK holds; otherwise ACT (or, in a dry run, say so), and CHECK must hold then.
step() {
  if $2; then say ok "$1"; return 0; fi
  if [ "$dry" = yes ]; then say would "$1"; return 0; fi
  $3 || fail "$1: failed (see above)"
  $2 || fail "$1: done, but it did not hold"
  say "done" "$1"
}

refuse_what_is_no_box() {
  [ "$(id -u)" != 0 ] || wrong_use "not as root: run it as your own user, who may use sudo"
  local like
  # shellcheck disable=SC1091 # the Pi's file, not ours
  like=$(. /etc/os-release 2>/dev/null && echo " ${ID:-} ${ID_LIKE:-} ") || like=''
  case $like in *' debian '* | *' raspbian '*) ;; *) wrong_use "this is no Debian-family system: the box needs Raspberry Pi OS (Bookworm or Trixie)" ;; esac
  [ -d /run/systemd/system ] || wrong_use "systemd does not run here: the box needs Raspberry Pi OS (Bookworm or Trixie)"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || wrong_use "Python 3.11 or newer is needed: the box needs Raspberry Pi OS Bookworm or Trixie"
  as_root true || wrong_use "you may not use sudo here: log in as the user that was made when the card was written"
  for g in gpio i2c; do getent group $g >/dev/null || wrong_use "there is no group $g: the box needs Raspberry Pi OS, which gives pins and bus to such groups"; done
}

# --- packages of the system
# A missing package is no fault where what it brings is here by another way (a wheel for lgpio, a whole Python).
# has PYTHON MODULE. Looked for, not imported: lgpio leaves a FIFO wherever it is imported.
has() { "$1" -c 'import importlib.util as u, sys; sys.exit(u.find_spec(sys.argv[1]) is None)' "$2" 2>/dev/null; }
brings() {
  case $1 in
    python3-venv) python3 -c 'import ensurepip, venv' ;;
    python3-lgpio) has python3 lgpio || ls $venvs/*/.whole || { [ -n "$wheels" ] && ls "$wheels"/lgpio-*.whl; } ;;
    polkitd) [ -d /etc/polkit-1/rules.d ] ;;
    libopenjp2-7) ldconfig -p | grep -q libopenjp2.so.7 ;;
  esac >/dev/null 2>&1
}
wanted_packages() {
  echo python3-venv python3-lgpio polkitd
  [ "$(dpkg --print-architecture)" != armhf ] || echo libopenjp2-7 # piwheels' Pillow wants it; the 64-bit wheel brings its own
}
missing_packages() {
  local p
  for p in $(wanted_packages); do
    [ "$(dpkg-query -W -f '${Status}' "$p" 2>/dev/null)" = 'install ok installed' ] || brings "$p" || echo "$p"
  done
}
packages_are_there() { [ -z "$(missing_packages)" ]; }
install_packages() {
  local list
  list=$(missing_packages)
  # shellcheck disable=SC2086 # a list of words
  as_root apt-get -qq update && as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $list >/dev/null && return 0
  printf 'deploy.sh: apt could not install: %s (no network? of these --wheels replaces python3-lgpio only)\n' "${list//$'\n'/ }" >&2
  return 1
}

# --- the service's own user
user_is_there() { getent passwd $name >/dev/null; }
add_user() { as_root useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin --comment 'Ubongo box' $name; }

# --- the bus: dtparam in the file that the firmware really reads, outside of any [pi4]-like section
boot_config() { local f; for f in /boot/firmware/config.txt /boot/config.txt; do [ -f $f ] && { echo $f; return 0; }; done; return 1; }
# Prints "on SPEED" for what the file gives every board ("off" or no SPEED if it doesn't).
bus_setting() {
  awk -v want="$1" '
    /^[ \t]*\[/ { section = $0; gsub(/[][ \t\r]/, "", section) }
    (section == "" || section == "all") && /^[ \t]*dtparam=/ {
      sub(/^[ \t]*dtparam=/, ""); sub(/[ \t\r]*(#.*)?$/, "")
      n = split($0, p, ",")
      for (i = 1; i <= n; i++) {
        split(p[i], kv, "=")
        v = (kv[2] == "" || kv[2] == "on" || kv[2] == "true" || kv[2] == "yes" || kv[2] == "1") ? "on" : kv[2]
        if (kv[1] == "i2c_arm" || kv[1] == "i2c" || kv[1] == "i2c1") i2c = v
        if (kv[1] ~ /^i2c(_arm|1)?_baudrate$/) speed = kv[2]
        if (kv[1] == "spi") spi = v
      }
    }
    END { print want == "spi" ? (spi == "on" ? "on" : "off") : (i2c == "on" ? "on" : "off") " " speed }' "$(boot_config)"
}
uses_spi() { [ "$(setting display.interface)" = spi ]; }
bus_is_set() {
  boot_config >/dev/null || return 0 # no firmware, no file: a board whose bus is a matter of its kernel
  if uses_spi; then [ "$(bus_setting spi)" = on ]; else case $(bus_setting i2c) in on\ [0-9]*) ;; *) return 1 ;; esac; fi
}
set_bus() {
  local file saved line='dtparam=i2c_arm=on,i2c_arm_baudrate=400000'
  file=$(boot_config)
  uses_spi && line='dtparam=spi=on'
  saved=$file.$name-$(date +%Y%m%d-%H%M%S)
  as_root cp -p "$file" "$saved" && as_root sync "$saved" &&
    { cat "$file"; printf '\n# %s: begin (deploy.sh put this here and takes it away again)\n[all]\n%s\n# %s: end\n' $name "$line" $name; } | put "$file"
  say note "$file as it was: $saved"
  reboot=yes
}
# i2c-dev at every boot, as raspi-config would do it: without it there is no /dev/i2c-1.
module_is_set() { [ "$(cat $modules 2>/dev/null)" = i2c-dev ]; }
set_module() { echo i2c-dev | put $modules; as_root modprobe i2c-dev || say note "i2c-dev is not loaded yet: it will be at the next start"; }

# --- the libraries: one venv for each set of them, so that an update of the program alone needs no pip and no network
dependencies() {
  python3 - "$here/pyproject.toml" <<'PY'
import sys, tomllib
with open(sys.argv[1], "rb") as f:
    print("\n".join(tomllib.load(f)["project"]["dependencies"]))
PY
}
venv_id() { { python3 --version; dependencies; if has python3 lgpio; then echo lgpio; fi; } | sha256sum | cut -c1-12; }
venv_is_built() { [ -f "$venv/.whole" ]; }
# pip from the wheel that Python itself brings: putting one into the venv takes as long as all the libraries.
pip_wheel() {
  python3 - <<'PY'
import ensurepip, glob, os, sys, sysconfig
own = os.path.join(os.path.dirname(ensurepip.__file__), "_bundled")
for folder in filter(None, (sysconfig.get_config_var("WHEEL_PKG_DIR"), own)):
    for wheel in glob.glob(os.path.join(folder, "pip-*.whl")):
        print(wheel)
        sys.exit()
sys.exit("deploy.sh: Python has no pip to install with: sudo apt-get install --reinstall python3-venv")
PY
}
build_venv() {
  local from=() needed wheel
  [ -z "$wheels" ] || from=(--no-index --find-links "$wheels")
  wheel=$(pip_wheel) || return 1
  # Wheels only: what has none for this board would need a compiler.
  local pip=(env PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_CACHE_DIR=1 TMPDIR="$venv/tmp"
    "$venv/bin/python" "$wheel/pip" install -q --only-binary=:all: ${from[@]+"${from[@]}"})
  mapfile -t needed < <(dependencies)
  # From apt where the system has it.
  has python3 lgpio || needed+=(lgpio)
  [ "$(df -Pk /opt | awk 'NR == 2 { print $4 }')" -ge 150000 ] || { echo "deploy.sh: less than 150 MB free on /opt" >&2; return 1; }
  as_root rm -rf "$venv" && as_root mkdir -p -m 755 "$venv/tmp" && as_root chmod 755 $base $venvs "$venv" || return 1
  as_root python3 -m venv --without-pip --system-site-packages "$venv" || return 1
  # With gpiod 2 the box wakes only for presses. Debian 12's own is 1.6, and there are not wheels for every board.
  if has python3 gpiod.line; then
    as_root "${pip[@]}" "${needed[@]}" || return 1
  elif ! as_root "${pip[@]}" "${needed[@]}" 'gpiod>=2' 2>/dev/null; then
    as_root "${pip[@]}" "${needed[@]}" || return 1
    say note "no gpiod 2 for this board: the box runs as well, waking more often when nothing happens"
  fi
  as_root rm -rf "$venv/tmp" && as_root chmod -R go-w,a+rX "$venv" || return 1
  "$venv/bin/python" -c 'import gpiozero, luma.core, PIL' || return 1
  finish "$venv"
}
# A power cut minutes after an install can leave empty files: on the card first, then declared whole.
finish() { sync && as_root touch "$1/.whole" && sync; }

# --- the release: the program with its units, and the command that runs it with its libraries
release_id() {
  (cd "$here" && { echo "$venv"; find "${shipped[@]}" -type f ! -path '*/__pycache__/*' | LC_ALL=C sort | xargs -d '\n' sha256sum; }) | sha256sum | cut -c1-12
}
version() { sed -n 's/^version = "\(.*\)"/\1/p' "$here/pyproject.toml"; }
release_is_built() { [ -f "$release/.whole" ]; }
build_release() {
  as_root rm -rf "$release" && as_root mkdir -p -m 755 "$release/bin" && as_root chmod 755 $releases "$release" || return 1
  as_root cp -r "$here/device" "$here/systemd" "$here/README.md" "$here/LICENSE" "$release/" || return 1
  as_root find "$release" -name __pycache__ -prune -exec rm -rf {} + || return 1
  printf '#!%s\nimport sys\n\nsys.path.insert(0, "%s")\nfrom device.cli import main\n\nsys.exit(main())\n' "$venv/bin/python" "$release" | put "$release/bin/$name" || return 1
  as_root chown -R root:root "$release" && as_root chmod -R u=rwX,go=rX "$release" && as_root chmod 755 "$release/bin/$name" || return 1
  as_root "$venv/bin/python" -m compileall -q "$release/device" || return 1
  "$release/bin/$name" --version >/dev/null || return 1
  finish "$release"
}

# --- the config
config_is_there() { [ -f $config ]; }
lay_config() {
  if as_root test -f $store/config.toml; then as_root cat $store/config.toml | put $config; say note "the config that an uninstall had laid beside the store"
  else put $config <"$here/systemd/$name.toml"; fi
}
# setting KEY: a value of the config as the user wrote it, empty if not set.
setting() {
  python3 - "$1" <<'PY'
import functools, sys, tomllib
try:
    with open("/etc/ubongo-box.toml", "rb") as f:
        print(functools.reduce(lambda d, k: d.get(k, {}), sys.argv[1].split("."), tomllib.load(f)) or "")
except (OSError, ValueError, AttributeError):
    print("")
PY
}
check_config() {
  local said
  [ "$dry" = no ] || return 0
  said=$("$release/bin/$name" config --config $config 2>&1 >/dev/null) || fail "the config is not right, nothing was switched: ${said##*"$name: "}"
}

# --- units, command, polkit rule
linked() {
  set -- "${links[@]}"
  while [ $# -gt 0 ]; do [ "$(readlink "$1")" = "$2" ] || return 1; shift 2; done
  cmp -s "$here/systemd/50-$name.rules" <(as_root cat $rule 2>/dev/null)
}
link() {
  set -- "${links[@]}"
  while [ $# -gt 0 ]; do as_root mkdir -p "${1%/*}" && as_root ln -sfn "$2" "$1" || return 1; shift 2; done
  put $rule <"$here/systemd/50-$name.rules"
}
# The hour of game night as systemd writes it, "Fri 19:30"; empty if none is set.
game_night() {
  local day time
  day=$(setting game_night.day) time=$(setting game_night.time)
  [ -n "$day" ] && [ -n "$time" ] || return 0
  day=$(printf %s "$day" | cut -c1 | tr '[:lower:]' '[:upper:]')$(printf %s "$day" | cut -c2-3 | tr '[:upper:]' '[:lower:]')
  systemd-analyze calendar "$day $time" >/dev/null 2>&1 || { echo "deploy.sh: [game_night] of $config: '$day $time' is no day and time" >&2; return 0; }
  echo "$day $time"
}
timer_is_set() {
  local hour
  hour=$(game_night)
  if [ -z "$hour" ]; then [ ! -e $timer_time ] && ! systemctl -q is-enabled $name-gamenight.timer 2>/dev/null; return; fi
  grep -qxF "OnCalendar=$hour" $timer_time 2>/dev/null && grep -qF "\"GAME_NIGHT=$hour\"" $service_time 2>/dev/null && systemctl -q is-active $name-gamenight.timer
}
set_timer() {
  local hour
  hour=$(game_night)
  if [ -z "$hour" ]; then remove_timer; as_root systemctl daemon-reload; return; fi
  printf '[Timer]\nOnCalendar=\nOnCalendar=%s\n' "$hour" | put $timer_time &&
    printf '[Service]\nEnvironment="GAME_NIGHT=%s"\n' "$hour" | put $service_time &&
    as_root systemctl daemon-reload && as_root mkdir -p "$units/timers.target.wants" && as_root ln -sfn "../$name-gamenight.timer" "$units/timers.target.wants/$name-gamenight.timer" && as_root systemctl restart $name-gamenight.timer
}
remove_timer() {
  as_root systemctl -q stop $name-gamenight.timer 2>/dev/null || true
  as_root rm -rf "${timer_time%/*}" "${service_time%/*}" "$units/timers.target.wants/$name-gamenight.timer"
}
spi_is_set() { if uses_spi; then [ -f $spi_access ]; else [ ! -e $spi_access ]; fi; }
set_spi() {
  if uses_spi; then printf '[Service]\nSupplementaryGroups=spi\n# 153: the kernel'\''s fixed number of spi\nDeviceAllow=char-153 rw\n' | put $spi_access
  else as_root rm -rf "${spi_access%/*}"; fi
  restart=yes
}

# --- the switch
switch_to() { as_root ln -sfn "$1" $current.new && as_root mv -T $current.new $current && sync && as_root systemctl daemon-reload; }
# Waits for READY (the unit is Type=notify), then that it stays: a program that dies of its first picture says READY too.
comes_up() {
  as_root systemctl restart $name.service 2>/dev/null || return 1
  local before
  before=$(systemctl show -P NRestarts $name.service)
  sleep 3
  systemctl -q is-active $name.service && [ "$(systemctl show -P NRestarts $name.service)" = "$before" ]
}
last_words() { as_root journalctl -q _SYSTEMD_UNIT=$name.service -n 8 -o cat --no-pager 2>/dev/null | sed 's/^/       | /' >&2; }
switch_over() {
  local old
  old=$(readlink $current) || old=''
  if [ "$old" = "$release" ] && [ -z "${restart:-}" ] && systemctl -q is-active $name.service; then say ok "release $id runs"; return 0; fi
  if [ "$dry" = yes ]; then say would "switch to release $id and restart"; return 0; fi
  [ "$old" = "$release" ] || switch_to "$release"
  if comes_up; then sync; say "done" "release $id runs: its buttons answer"; return 0; fi
  last_words
  if [ -n "$old" ] && [ "$old" != "$release" ] && [ -f "$old/.whole" ]; then
    switch_to "$old"
    as_root rm -rf "$release"
    comes_up || fail "release $id did not come up, and neither did the old one, ${old##*/}: see  journalctl -u $name"
    fail "release $id did not come up; the old one, ${old##*/}, is back and runs"
  fi
  fail "release $id does not come up and there is no other to go back to; it keeps trying: see  journalctl -u $name"
}
# The running one and the one before it stay, for a way back by hand.
prune() {
  local keep old
  keep=$(readlink $current) || return 0
  # shellcheck disable=SC2012 # our own names, by age
  for old in $(ls -1dt $releases/*/ 2>/dev/null | sed 's#/$##' | grep -vxF "$keep" | tail -n +2); do as_root rm -rf "$old"; done
  for old in "$venvs"/*/; do grep -qsF "${old%/}/bin" $releases/*/bin/$name || as_root rm -rf "${old%/}"; done
}

bus_speed() { [ -e /sys/class/i2c-adapter/i2c-1/of_node/clock-frequency ] && od -An -tu4 --endian=big /sys/class/i2c-adapter/i2c-1/of_node/clock-frequency | tr -d ' '; }

install_here() {
  local id release venv restart=''
  step "system packages$(missing_packages | sed 's/^/ /' | tr -d '\n')" packages_are_there install_packages
  step "user $name" user_is_there add_user
  step "config $config" config_is_there lay_config
  step "display bus in $(boot_config || echo 'config.txt (none on this board)')" bus_is_set set_bus
  step "kernel module i2c-dev" module_is_set set_module
  venv=$venvs/$(venv_id)
  step "libraries, ${venv##*/}" venv_is_built build_venv
  id=$(version)-$(release_id)
  release=$releases/$id
  step "release $id" release_is_built build_release
  check_config
  step "units, command and polkit rule" linked link
  step "spi for the display: $(uses_spi && echo yes || echo not used)" spi_is_set set_spi
  switch_over
  [ "$dry" = yes ] || prune
  step "game night: $(game_night | grep . || echo not set)" timer_is_set set_timer
  if [ -n "$reboot" ] || { ! uses_spi && boot_config >/dev/null && [ "$(bus_speed)" != "${speed:=$(bus_setting i2c | cut -d' ' -f2)}" ]; }; then
    say note "a reboot is needed before the display's bus is right:  sudo reboot"
  fi
}

status_here() {
  local f
  say release "$(readlink $current 2>/dev/null | sed 's#.*/##' | grep . || echo none)"
  say service "$(systemctl is-active $name.service 2>/dev/null || true), $(systemctl is-enabled $name.service 2>/dev/null || echo not installed), since $(systemctl show -P ActiveEnterTimestamp $name.service | grep . || echo never), $(systemctl show -P NRestarts $name.service) restarts"
  say config "$config$([ -f $config ] || echo ' (none)')"
  say store "$store: $(as_root du -sh $store 2>/dev/null | cut -f1 | grep . || echo none)"
  say bus "$(f=$(boot_config) && echo "$f: i2c $(bus_setting i2c)" || echo 'no config.txt on this board'), now $(bus_speed | grep . || echo unknown) Hz, /dev/i2c-1 $([ -e /dev/i2c-1 ] && echo there || echo missing)"
  say night "$(game_night | grep . || echo not set)"
}

gone() { # gone WHAT TEST ACT: the mirror image of step
  if ! eval "$2"; then say ok "no $1"; return 0; fi
  if [ "$dry" = yes ]; then say would "remove $1"; return 0; fi
  eval "$3" || fail "removing $1: failed (see above)"
  ! eval "$2" || fail "removing $1: it is still there"
  say "done" "removed $1"
}
unlink_units() {
  as_root systemctl -q stop $name.service 2>/dev/null || true
  remove_timer
  set -- "${links[@]}"
  while [ $# -gt 0 ]; do as_root rm -f "$1"; shift 2; done
  as_root rm -rf "${spi_access%/*}"
  as_root systemctl daemon-reload
  as_root systemctl reset-failed "$name*" 2>/dev/null || true
}
keep_config() {
  if as_root test -d $store && [ "$purge" = no ] && ! cmp -s $config "$here/systemd/$name.toml"; then as_root cp -p $config $store/config.toml; fi
  as_root rm -f $config
}
unset_bus() {
  local file
  file=$(boot_config)
  # Our lines and the empty one before them, that set_bus put there too.
  awk -v begin="# $name: begin" -v end="# $name: end" '
    index($0, begin) == 1 { ours = 1; if (held && last == "") held = 0 }
    !ours { if (held) print last; last = $0; held = 1 }
    index($0, end) == 1 { ours = 0 }
    END { if (held) print last }' "$file" | put "$file"
  as_root rm -f "$file.$name-"*
  say note "the display's bus is as it was before; it takes effect at the next start"
}
uninstall_here() {
  gone "service, units and command" "[ -L $units/$name.service ] || [ -L $command ] || [ -e ${timer_time%/*} ]" unlink_units
  gone "polkit rule" "as_root test -e $rule" "as_root rm -f $rule"
  gone "releases" "[ -e $base ]" "as_root rm -rf $base"
  gone "config" "[ -e $config ]" keep_config
  gone "i2c-dev at every start" "[ -e $modules ]" "as_root rm -f $modules"
  gone "lines in config.txt" "boot_config >/dev/null && grep -q '^# $name: begin' \"\$(boot_config)\"" unset_bus
  [ "$purge" = no ] || gone "store" "as_root test -e $store" "as_root rm -rf $store"
  gone "user $name" user_is_there "{ ! as_root test -d $store || as_root chown -R root:root $store; } && as_root userdel $name"
  [ "$dry" = yes ] || sync
  if as_root test -e $store; then say kept "$store (past matches; --purge takes it too)"; fi
}

on_the_pi() {
  refuse_what_is_no_box
  # Two deploys at once would build into each other.
  exec 9>"/tmp/.$name-deploy.$(id -u)"
  flock -n 9 || fail "another deploy runs on this Pi right now"
  trap 'rm -f "/tmp/.$name-deploy.$(id -u)"' EXIT
  [ -z "$wheels" ] || wheels=$(cd "$wheels" && pwd)
  case $mode in
    install) install_here ;;
    status) status_here ;;
    uninstall) uninstall_here ;;
  esac
}

parse "$@"
if [ "$on_pi" = yes ] || [ "$host" = localhost ]; then on_the_pi; else over_ssh; fi

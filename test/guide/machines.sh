#!/bin/bash
# Seven machines on one: each has its own network, host name and copy of this machine's files, which goes when the script ends. They
# have Debian's programs and no systemd, so a few lines stand for what the guide asks of it. Runs as root in namespaces of its own:
#   unshare --mount --net --pid --fork --kill-child --mount-proc bash machines.sh <folder> <script with `on <machine> …` lines>
set -e -o pipefail
room=$1 script=$2
declare -A address=([db1]=10.0.0.11 [db2]=10.0.0.12 [db3]=10.0.0.13 [node1]=10.0.0.21 [node2]=10.0.0.22 [balancer]=10.0.0.31 [s3]=10.0.0.41) holder
mount -t tmpfs tmpfs "$room"
ip link set lo up
ip link add bridge0 type bridge
ip address add 10.0.0.1/24 dev bridge0
ip link set bridge0 up

hosts() {
  local name
  echo "127.0.0.1 localhost"
  echo "10.0.0.31 skins.example.org"
  for name in "${!address[@]}"; do echo "${address[$name]} $name.example.org $name"; done
}

# on <machine>: runs the shell lines of standard input there.
on() {
  nsenter -t "${holder[$1]}" -n -u chroot "$room/$1/root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 \
    PATH=/opt/stand-ins:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -e -o pipefail -s
}

stand_in() {
  cat > "$room/$1/root/opt/stand-ins/$2"
  chmod 755 "$room/$1/root/opt/stand-ins/$2"
}

for name in "${!address[@]}"; do
  mkdir -p "$room/$name/upper" "$room/$name/work" "$room/$name/root"
  root=$room/$name/root
  mount -t overlay overlay -o "lowerdir=/,upperdir=$room/$name/upper,workdir=$room/$name/work" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/run"
  mkdir -p "$root/opt/stand-ins" "$root/opt/machines"
  for other in "${!address[@]}"; do
    mkdir -p "$root/opt/machines/$other.example.org" "$room/$other/upper/root"
  done
  # What the pages tell their readers to copy.
  cp -r "$(dirname "$0")/../../docs/operate" "$root/root/operate"
  unshare -n -u sleep infinity &
  holder[$name]=$!
done
for name in "${!address[@]}"; do
  # The network is the machine's own once this is another one.
  until [[ $(readlink /proc/${holder[$name]}/ns/net) != $(readlink /proc/$$/ns/net) ]]; do sleep 0.1; done
  root=$room/$name/root
  for other in "${!address[@]}"; do mount --bind "$room/$other/root" "$root/opt/machines/$other.example.org"; done
  hosts > "$root/etc/hosts"
  ip link add "to-$name" type veth peer name eth0 netns "${holder[$name]}"
  ip link set "to-$name" master bridge0 up
  nsenter -t "${holder[$name]}" -n -u bash -c \
    "hostname $name; ip link set lo up; ip address add ${address[$name]}/24 dev eth0; ip link set eth0 up"

  stand_in "$name" apt-get <<'END'
#!/bin/bash
# The packages are there already: those that are named have to exist.
[[ " $* " == *" install "* ]] || exit 0
for word in "$@"; do [[ $word == install || $word == -* ]] || dpkg -s "$word" > /dev/null || exit 1; done
END
  stand_in "$name" scp <<'END'
#!/bin/bash
# scp -q FILE… root@host:/folder/
files=("${@:1:$#-1}") target=${!#}
[[ $target =~ ^root@([a-z0-9.]+):(/.*)$ ]] || exit 1
for file in "${files[@]}"; do [[ $file == -* ]] || cp "$file" "/opt/machines/${BASH_REMATCH[1]}${BASH_REMATCH[2]}"; done
END
  stand_in "$name" with-settings <<'END'
#!/bin/bash
# with-settings USER FILE NAME=VALUE… -- COMMAND: the settings of a file as systemd reads it, before those that are named.
user=$1 file=$2
shift 2
settings=()
while [[ $1 != -- ]]; do settings+=("$1"); shift; done
shift
while IFS= read -r line; do [[ $line =~ ^[A-Z_0-9]+= ]] && settings+=("$line"); done < "$file"
exec setpriv --reuid="$user" --regid="$user" --clear-groups env -i PATH="$PATH" LANG=C.UTF-8 "${settings[@]}" "$@"
END
  stand_in "$name" systemd-run <<'END'
#!/bin/bash
settings=() file=/dev/null
while [[ $1 == -* ]]; do
  case $1 in
    --uid=*) user=${1#--uid=} ;;
    -p) file=${2#EnvironmentFile=}; shift ;;
    -E) settings+=("$2"); shift ;;
  esac
  shift
done
exec with-settings "$user" "$file" "${settings[@]}" -- "$@"
END
  stand_in "$name" systemctl <<'END'
#!/bin/bash
unit=${!#} act=$1
[[ $act == daemon-reload ]] && exit
[[ $act == enable ]] && act=start
pid=/run/$unit.pid
stop() {
  [[ -f $pid ]] || return 0
  kill -TERM "$(cat "$pid")" 2> /dev/null
  for _ in {1..300}; do kill -0 "$(cat "$pid")" 2> /dev/null || break; sleep 0.1; done
  rm -f "$pid"
}
start() {
  case $unit in
    haproxy) set -- haproxy -db -f /etc/haproxy/haproxy.cfg ;;
    nginx) set -- nginx -g 'daemon off;' ;;
    caddy)
      install -d -o caddy -g caddy /var/lib/caddy
      set -- setpriv --reuid=caddy --regid=caddy --init-groups --inh-caps=+net_bind_service --ambient-caps=+net_bind_service \
        env HOME=/var/lib/caddy caddy run --config /etc/caddy/Caddyfile
      ;;
    etcd) set -- with-settings etcd /etc/default/etcd -- etcd ;;
    patroni) set -- with-settings postgres /dev/null -- patroni /etc/patroni/config.yml ;;
    pgbouncer) set -- setpriv --reuid=postgres --regid=postgres --init-groups pgbouncer /etc/pgbouncer/pgbouncer.ini ;;
    cloakroom)
      install -d -o cloakroom -g cloakroom -m 700 /var/lib/cloakroom
      install -d -o cloakroom -g cloakroom -m 750 /run/cloakroom
      settings=()
      for file in /etc/systemd/system/cloakroom.service /etc/systemd/system/cloakroom.service.d/*.conf; do
        [[ -f $file ]] || continue
        while IFS= read -r line; do settings+=("${line//%H/$(hostname)}"); done < <(sed -n 's/^Environment=//p' "$file")
      done
      set -- with-settings cloakroom /etc/cloakroom/cloakroom.env "${settings[@]}" -- cloakroom serve
      ;;
    *) exit 1 ;;
  esac
  setsid "$@" > "/var/log/$unit.log" 2>&1 < /dev/null &
  echo $! > "$pid"
}
case $unit in
  nftables) exec nft -f /etc/nftables.conf ;;
  postgresql@15-main)
    main() { pg_ctlcluster --skip-systemctl-redirect 15 main "$1"; }
    if [[ $act != start ]] && main status > /dev/null; then main stop || exit 1; fi
    [[ $act == stop ]] && exit
    while IFS= read -r line; do
      $line || exit 1
    done < <(cat "/etc/systemd/system/$unit.service.d"/*.conf 2> /dev/null | sed -n 's/^ExecStartPre=//p')
    main start
    exit
    ;;
esac
[[ $act == start ]] || stop
[[ $act == stop ]] || start
END
done

source "$script"

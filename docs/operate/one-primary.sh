#!/bin/sh
# /usr/local/sbin/one-primary — see scale-out.md beside this file. Runs as the user postgres before each start of PostgreSQL, with the
# names of all its servers, and fails when another one was promoted instead of this one: two primaries would be worse than none.
# While one of them does not answer it waits, because that one may have been promoted. `touch /run/postgresql/others-are-off` on this
# machine, while it waits, says that no other server was promoted. Replace 15 in its paths with your version.
set -u
data=/var/lib/postgresql/15/main
override=/run/postgresql/others-are-off
export LC_ALL=C PGCONNECT_TIMEOUT=3 PGPASSFILE=/var/lib/postgresql/.pgpass
rm -f "$override"

# A standby takes no writes, and a restore goes on to a timeline of its own.
[ -e "$data/standby.signal" ] || [ -e "$data/recovery.signal" ] && exit 0
# Without a slot no standby follows this server, so no other server can have been promoted.
[ -n "$(ls "$data/pg_replslot")" ] || exit 0

control=$(/usr/lib/postgresql/15/bin/pg_controldata "$data") || exit
id=$(echo "$control" | sed -n 's/^Database system identifier: *//p')
# After a promotion the second of these is the first to know.
timeline=$(echo "$control" | sed -n "s/^Latest checkpoint's TimeLineID: *//p; s/^Min recovery ending loc's timeline: *//p" | sort -n | tail -n 1)

for name in "$@"; do
  [ "${name%%.*}" = "$(hostname -s)" ] && continue
  said=
  until answer=$(timeout 10 psql -XAtw -F ' ' -c IDENTIFY_SYSTEM \
    "host=$name user=replicator replication=true sslmode=verify-full sslrootcert=/etc/postgresql/15/main/ca.crt" 2>&1); do
    rm "$override" 2> /dev/null && continue 2
    [ "$answer" = "$said" ] || echo "waiting for $name, which may have been promoted. If it was not: touch $override. $answer" >&2
    said=$answer
    sleep 2
  done
  # Its id, its timeline, and more; another id is no copy of this server.
  theirs=$(echo "$answer" | sed -n "s/^$id \([0-9]*\) .*/\1/p")
  if [ "${theirs:-0}" -gt "$timeline" ]; then
    echo "$name was promoted: it is on timeline $theirs, this server on $timeline. Make this one its standby before it starts again" >&2
    exit 1
  fi
done

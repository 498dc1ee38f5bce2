#!/bin/bash
# standby.sh PRIMARY — see scale-out.md. Makes this server a standby of the host PRIMARY by a new copy. Its former data stays beside it.
set -e
primary=$1
from="host=$primary user=replicator sslmode=verify-full sslrootcert=/etc/postgresql/15/main/ca.crt"
cd / && systemctl stop postgresql@15-main
mv /var/lib/postgresql/15/main /var/lib/postgresql/15/before-$(date +%s)
# The slot of a former copy. The first time there is no such slot.
runuser -u postgres -- psql -q "$from replication=true" -c "DROP_REPLICATION_SLOT $(hostname -s)" 2> /dev/null || true
runuser -u postgres -- pg_basebackup -D /var/lib/postgresql/15/main -R -c fast -C -S $(hostname -s) -d "$from"
# With the settings of a restore the copy would stop at that moment, too, and promote itself.
runuser -u postgres -- sed -i '/^synchronous_standby_names/d; /^recovery_target/d; /^restore_command/d' \
  /var/lib/postgresql/15/main/postgresql.auto.conf
systemctl start postgresql@15-main

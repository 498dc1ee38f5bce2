# What the page about Patroni presupposes, and what has to hold between its blocks. Sourced by machines.sh before the blocks; the caller
# sets project, bun and versitygw.

# A bucket for backups, and machines as the packages leave them.
prepare() {
  on s3 <<END
mkdir -p /root/pki /srv/s3/backups /srv/sidecar && cd /root/pki
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=public" -keyout ca.key -out ca.crt
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=s3.example.org" -keyout s3.key -out s3.csr
openssl x509 -req -in s3.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out s3.crt \
  -extfile <(echo "subjectAltName=DNS:s3.example.org")
for name in db1 db2 db3; do cp ca.crt /opt/machines/\$name.example.org/root/public.crt; done
setsid $versitygw --port :443 --access guide --secret guide-secret --cert /root/pki/s3.crt --key /root/pki/s3.key \
  posix --sidecar /srv/sidecar /srv/s3 > /var/log/s3.log 2>&1 < /dev/null &
END
  local name
  for name in db1 db2 db3; do
    on "$name" <<'END'
install -d -o postgres -g postgres /run/postgresql
rm -rf /etc/postgresql/15 /var/lib/postgresql/15
install -d -o postgres -g postgres /var/lib/postgresql/15
sed -i 's/ID_OF_THE_KEY/guide/; s/THE_KEY/guide-secret/' /root/operate/patroni/pgbackrest.conf
cat /root/public.crt >> /etc/ssl/certs/ca-certificates.crt
END
  done
  for name in node1 node2; do
    on "$name" <<END
adduser --quiet --system --group --no-create-home --home /var/lib/cloakroom cloakroom
install -d -o cloakroom -g cloakroom -m 700 /var/lib/cloakroom
install -d -m 700 /etc/cloakroom
# Every user may run it, whatever its rights were.
install -m 755 $bun /usr/local/bin/bun
printf '#!/bin/sh\nexec bun $project/src/main.ts "\$@"\n' > /usr/local/bin/cloakroom
cat > /usr/local/bin/as-service <<'EOF'
#!/bin/sh
exec with-settings cloakroom /etc/cloakroom/cloakroom.env DATA_DIR=/var/lib/cloakroom -- cloakroom "\$@"
EOF
chmod 755 /usr/local/bin/*
END
  done
}

# All three are there, on one timeline.
whole() {
  on db1 <<'END'
for try in {1..120}; do
  cluster list > /root/list
  [[ $(grep -c " running " /root/list) == 3 && $(grep -c "Sync Standby" /root/list) == 1 && $(grep -c Leader /root/list) == 1 &&
    $(awk -F'|' '/running/{print $6}' /root/list | sort -u | wc -l) == 1 ]] && break
  [[ $try != 120 ]] || { cat /root/list; exit 1; }
  sleep 1
done
cat /root/list
END
}

# No way in without a certificate, and none to the superuser.
after_start() {
  whole
  on node1 <<'END'
cd /root/cluster
refused() { if "$@" > /dev/null 2>&1; then echo "not refused: $*"; exit 1; fi; }
curl -sf --cacert ca.crt https://db1.example.org:8008/cluster > /dev/null
refused curl -sf --cacert ca.crt -X POST https://db1.example.org:8008/restart
refused curl -sf --cacert ca.crt -X PATCH -d '{"ttl": 60}' https://db1.example.org:8008/config
refused curl -sf --cacert ca.crt https://db1.example.org:2379/v2/keys/service/cloakroom/leader
refused curl -sf --cacert ca.crt https://db1.example.org:2380/members
for user in postgres replicator rewind; do
  refused env PGPASSWORD="$(cat password)" psql "host=db1.example.org user=$user dbname=postgres sslmode=require" -c "SELECT 1"
done
refused env PGPASSWORD="$(cat password)" psql "host=db1.example.org user=cloakroom dbname=cloakroom sslmode=disable" -c "SELECT 1"
END
}

# A community on all hosts.
after_nodes() {
  on node1 <<'END'
cd /root/cluster
cat > /etc/cloakroom/cloakroom.env <<EOF
DATABASE_URL=postgres://cloakroom:$(cat password)@db1.example.org,db2.example.org,db3.example.org/cloakroom?sslrootcert=/etc/ssl/certs/our-databases.crt
JWT_SECRET=correct horse battery staple, twice
PUBLIC_URL=https://skins.example.org
EOF
as-service user create --mail you@example.org --username You --password 'correct horse' --admin
as-service doctor || true
END
}

after_haproxy() {
  on node1 <<'END'
sed -i 's/@db1.example.org,db2.example.org,db3.example.org/@database.example.org/' /etc/cloakroom/cloakroom.env
for try in {1..20}; do as-service user show You && break; [[ $try != 20 ]] || exit 1; sleep 1; done
as-service doctor || true
END
}

# etcd is whole as well.
after_trouble() {
  on db1 <<'END'
for try in {1..60}; do
  [[ $(etcd-cluster endpoint health --cluster 2>&1 | grep -c "is healthy") == 3 ]] && break
  [[ $try != 60 ]] || { etcd-cluster member list; exit 1; }
  sleep 1
done
END
  whole
}

# One account before the time that is gone back to, one after it.
before_return() {
  whole
  on node1 <<'END'
as-service user create --mail before@example.org --username Before --password 'correct horse'
sleep 2
date -u '+%F %T+00' > /opt/machines/db1.example.org/root/target
sleep 2
as-service user create --mail after@example.org --username After --password 'correct horse'
END
}

after_return() {
  whole
  on node1 <<'END'
as-service user show Before
if as-service user show After; then echo "the later account is still there"; exit 1; fi
END
}

# db1 is the synchronous standby when the last of the others goes.
before_alone() {
  whole
  local candidate
  on db1 <<'END'
awk '/Sync Standby/{print $2}' /root/list > /root/candidate
cluster switchover cloakroom --candidate "$(cat /root/candidate)" --force
END
  candidate=$(cat "$room/db1/root/root/candidate")
  whole
  [[ $candidate == db2 ]] && lose db3 || lose db2
  on db1 <<'END'
for try in {1..60}; do
  cluster list | grep "db1.*Sync Standby" && break
  [[ $try != 60 ]] || { cluster list; exit 1; }
  sleep 1
done
END
  lose "$candidate"
}

# Its power goes.
lose() {
  on "$1" <<'END'
server=$(head -n 1 /var/lib/postgresql/15/patroni/postmaster.pid)
kill -STOP "$(cat /run/patroni.pid)" "$server"
kill -KILL "$(cat /run/patroni.pid)" "$(cat /run/etcd.pid)" $(cat /proc/"$server"/task/*/children) "$server"
END
}

after_alone() {
  on node1 <<'END'
as-service user show Before
as-service user create --mail alone@example.org --username Alone --password 'correct horse'
END
}

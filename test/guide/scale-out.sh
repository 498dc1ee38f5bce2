# What the guide for several nodes presupposes, and what has to hold between its blocks. Sourced by machines.sh before the blocks; the
# caller sets project, bun and versitygw.

# The community of one folder on node1, a bucket, certificates, and PostgreSQL as Debian's package leaves it.
prepare() {
  on s3 <<END
mkdir -p /root/pki /srv/s3/skins /srv/sidecar && cd /root/pki
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=public" -keyout ca.key -out ca.crt
for name in s3 skins; do
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=\$name.example.org" -keyout \$name.key -out \$name.csr
  openssl x509 -req -in \$name.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out \$name.crt \
    -extfile <(echo "subjectAltName=DNS:\$name.example.org")
done
for name in node1 node2 balancer; do cp ca.crt skins.crt skins.key /opt/machines/\$name.example.org/srv/; done
setsid $versitygw --port :443 --access guide --secret guide-secret --cert /root/pki/s3.crt --key /root/pki/s3.key \
  posix --sidecar /srv/sidecar /srv/s3 > /var/log/s3.log 2>&1 < /dev/null &
cat > /usr/local/bin/ask <<'EOF'
#!/bin/bash
exec curl -sS --cacert /root/pki/ca.crt --max-time 20 "\$@"
EOF
cat > /usr/local/bin/sign-in <<'EOF'
#!/bin/bash
set -o pipefail
ask --fail-with-body https://skins.example.org/api/auth/login -H 'Content-Type: application/json' \
  -d '{"username":"You","password":"correct horse"}' | grep -o '"jwt":"[^"]*' | cut -d'"' -f4
EOF
cat > /usr/local/bin/load <<'EOF'
#!/bin/bash
# Asks until the file /root/enough is there, and keeps the statuses.
while [[ ! -f /root/enough ]]; do
  ask -o /dev/null -w '%{http_code}\n' "https://skins.example.org/api/skin/head/You?size=\$((RANDOM % 400 + 8))" || echo failed
  ask -o /dev/null -w '%{http_code}\n' https://skins.example.org/api/home -H "Authorization: Bearer \$(cat /root/token)" || echo failed
done > /root/statuses
touch /root/ended
EOF
chmod 755 /usr/local/bin/{ask,sign-in,load}
END
  local name
  for name in node1 node2; do
    on "$name" <<END
adduser --quiet --system --group --no-create-home --home /var/lib/cloakroom cloakroom
install -d -m 700 /etc/cloakroom
# Every user may run it, whatever its rights were.
install -m 755 $bun /usr/local/bin/bun
printf '#!/bin/sh\nexport NODE_EXTRA_CA_CERTS=/srv/ca.crt\nexec bun $project/src/main.ts "\$@"\n' > /usr/local/bin/cloakroom
chmod 755 /usr/local/bin/cloakroom
cp $project/docs/operate/cloakroom.service /etc/systemd/system/
END
  done
  on node1 <<END
cat > /etc/cloakroom/cloakroom.env <<EOF
PUBLIC_URL=https://skins.example.org
COMMUNITY_NAME=The Builders
MAIL_FROM=Skins <noreply@example.org>
RATE_LIMIT_FACTOR=0
EOF
systemctl start cloakroom
as="setpriv --reuid=cloakroom --regid=cloakroom --clear-groups cloakroom"
until [[ -f /var/lib/cloakroom/secrets/jwt-secret ]]; do sleep 0.2; done
until \$as health --data-dir /var/lib/cloakroom --listen-unix /run/cloakroom/cloakroom.sock --public-url https://skins.example.org
do sleep 0.5; done
\$as user create --mail you@example.org --username You --password 'correct horse' --admin --data-dir /var/lib/cloakroom
\$as skin add --user You --file $project/docs/examples/scout.png --data-dir /var/lib/cloakroom
END
  on balancer <<END
mkdir -p /etc/letsencrypt/live/skins.example.org
cp /srv/skins.crt /etc/letsencrypt/live/skins.example.org/fullchain.pem
cp /srv/skins.key /etc/letsencrypt/live/skins.example.org/privkey.pem
END
  for name in db1 db2; do
    on "$name" <<'END'
rm -rf /etc/postgresql/15/main /var/lib/postgresql/15/main
install -d -o postgres -g postgres /run/postgresql
pg_createcluster 15 main > /dev/null
pg_ctlcluster --skip-systemctl-redirect 15 main start
END
  done
}

# The primary comes back by itself. While the standby does not answer it waits, until it is told that it may start.
after_standby() {
  on db1 <<'END'
systemctl restart postgresql@15-main
END
  on db2 <<'END'
systemctl stop postgresql@15-main
END
  on db1 <<'END'
setsid systemctl restart postgresql@15-main > /root/waiting 2>&1 < /dev/null &
for try in {1..100}; do grep -q 'waiting for db2.example.org' /root/waiting && break; sleep 0.2; done
cat /root/waiting
grep -q 'waiting for db2.example.org' /root/waiting
if pg_isready -q; then echo "the primary does not wait for its standby"; exit 1; fi
touch /run/postgresql/others-are-off
for try in {1..100}; do pg_isready -q && break; sleep 0.2; done
pg_isready
[[ ! -e /run/postgresql/others-are-off ]]
END
  on db2 <<'END'
systemctl start postgresql@15-main
END
  is_followed_by db1 db2
}

# is_followed_by <primary> <standby>: what the one takes, the other has, and stays a standby.
is_followed_by() {
  on "$1" <<END
query="SELECT 1 FROM pg_stat_replication WHERE application_name = '$2' AND state = 'streaming'"
cd /
for try in {1..100}; do [[ \$(runuser -u postgres -- psql -At -c "\$query") == 1 ]] && break; sleep 0.2; done
timeout 20 runuser -u postgres -- psql -q -c "CREATE TABLE moved (n int)" -c "DROP TABLE moved"
[[ \$(runuser -u postgres -- psql -At -c "\$query") == 1 ]]
END
  on "$2" <<'END'
cd / && [[ $(runuser -u postgres -- psql -At -c "SELECT pg_is_in_recovery()") == t ]]
END
}

# Members and pictures are there through the balancer, and limits know the client.
after_haproxy() {
  on s3 <<'END'
sign-in > /root/token
ask --fail -o /root/head.png 'https://skins.example.org/api/skin/head/You?size=100'
ask --fail https://skins.example.org/api/home/sessions -H "Authorization: Bearer $(cat /root/token)" | grep -q '"address":"10.0.0.41"'
END
  on balancer <<'END'
curl -s http://127.0.0.1:8404/metrics | grep -c haproxy_server > /dev/null
END
}

# One member before the moment, and one after it.
before_restore() {
  local password="correct horse"
  on node1 <<END
as-service user create --mail early@example.org --username Early --password '$password'
END
  on db1 <<'END'
cd / && sleep 1
runuser -u postgres -- psql -At -c "SELECT now()" > /root/moment
sleep 1
END
  on node1 <<END
as-service user create --mail late@example.org --username Late --password '$password'
as-service user show Late
END
}

# What was there at the moment is there, what came later is not, and changes are taken on both servers.
after_restore() {
  is_followed_by db1 db2
  local name
  for name in node1 node2; do
    on "$name" <<'END'
until as-service health; do sleep 0.5; done
END
  done
  on node1 <<'END'
as-service user show Early
if as-service user show Late; then echo "what came after the moment is there"; exit 1; fi
END
  on s3 <<'END'
for try in {1..30}; do sign-in > /root/token && break; sleep 1; done
ask --fail -o /dev/null https://skins.example.org/api/home -H "Authorization: Bearer $(cat /root/token)"
END
}

# The primary is lost as by a power cut, right after a sign-in.
before_failover() {
  on s3 <<'END'
sign-in > /root/last-token
END
  on db1 <<'END'
server=$(head -n 1 /var/lib/postgresql/15/main/postmaster.pid)
kill -STOP "$server"
kill -KILL $(cat /proc/"$server"/task/*/children) "$server"
END
}

# With its former data the server does not start, and with a copy it is the standby of the next one.
comes_back() {
  on db1 <<'END'
if systemctl start postgresql@15-main 2> /root/refused; then echo "a former primary starts"; exit 1; fi
cat /root/refused
grep -q 'db2.example.org was promoted: it is on timeline' /root/refused
END
  standby_of db1 db2
  is_followed_by db2 db1
}

# The last session that was opened is there, and another one can be opened, without a restart of a node. curl asks again after 503.
after_failover() {
  on s3 <<'END'
for try in {1..60}; do
  sign-in > /root/next-token 2> /dev/null && break
  [[ $try != 60 ]] || { echo "a sign-in fails after the failover"; exit 1; }
  sleep 0.5
done
for token in token last-token next-token; do
  ask --fail --retry 20 --retry-delay 1 -o /dev/null https://skins.example.org/api/home -H "Authorization: Bearer $(cat /root/$token)"
done
END
  comes_back
}

before_restart() {
  on s3 <<'END'
setsid load > /dev/null 2>&1 < /dev/null &
sleep 2
END
}

# No request failed.
after_restart() {
  on s3 <<'END'
sleep 3
touch /root/enough
until [[ -f /root/ended ]]; do sleep 0.2; done
sort /root/statuses | uniq -c
[[ $(sort -u /root/statuses) == 200 ]]
END
}

# A node works through the pooler.
after_pooler() {
  on node1 <<'END'
cp /etc/cloakroom/cloakroom.env /root/cluster/before-pooler.env
sed -i 's/@db1.example.org,db2.example.org/@127.0.0.1:6432/; s/?sslrootcert.*//' /etc/cloakroom/cloakroom.env
{ as-service doctor || true; } | grep 'a pooler in transaction mode'
echo DATABASE_PREPARED=false >> /etc/cloakroom/cloakroom.env
systemctl restart cloakroom
until as-service health; do sleep 0.5; done
as-service doctor
cp /root/cluster/before-pooler.env /etc/cloakroom/cloakroom.env
systemctl restart cloakroom
until as-service health; do sleep 0.5; done
END
}

before_secret() {
  on node1 <<'END'
systemctl stop cloakroom
openssl rand -base64 48 > /root/new-secret
END
  on node2 <<'END'
systemctl stop cloakroom
END
}

after_secret() {
  local name
  for name in node1 node2; do
    on "$name" <<END
sed -i "s|^JWT_SECRET=.*|JWT_SECRET=$(cat "$room/node1/root/root/new-secret")|" /etc/cloakroom/cloakroom.env
systemctl start cloakroom
until as-service health; do sleep 0.5; done
END
  done
}

before_back() {
  on node2 <<'END'
systemctl stop cloakroom
END
}

# The folder serves by itself.
after_back() {
  on node1 <<'END'
setpriv --reuid=cloakroom --regid=cloakroom --clear-groups cloakroom user show You --data-dir /var/lib/cloakroom/again
setpriv --reuid=cloakroom --regid=cloakroom --clear-groups cloakroom fsck --data-dir /var/lib/cloakroom/again
END
}

# What one client does to the proxies of the guide, and what they write down of addresses with codes. Sourced by machines.sh before the
# blocks; the caller sets project and bun. The attacker is s3, others are db1 and db2, the proxy is balancer.

prepare() {
  local name
  on s3 <<'END'
mkdir -p /root/pki && cd /root/pki
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=public" -keyout ca.key -out ca.crt
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=skins.example.org" -keyout skins.key -out skins.csr
openssl x509 -req -in skins.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out skins.crt \
  -extfile <(echo "subjectAltName=DNS:skins.example.org")
cp skins.crt skins.key /opt/machines/balancer.example.org/srv/
ip address add fd00:1::41/16 dev eth0 nodad
ip address add fd00:1::42/16 dev eth0 nodad
END
  on db1 <<'END'
ip address add fd00:2::11/16 dev eth0 nodad
END
  on balancer <<END
ip address add fd00:9::31/16 dev eth0 nodad
mkdir -p /etc/letsencrypt/live/skins.example.org
cp /srv/skins.crt /etc/letsencrypt/live/skins.example.org/fullchain.pem
cp /srv/skins.key /etc/letsencrypt/live/skins.example.org/privkey.pem
# No daemon of a log is here, no second node, and no authority that gives certificates.
sed -i 's|log /dev/log local0|log stdout format raw local0|; /server node2/d' /root/operate/haproxy.cfg
sed -i 's|^skins.example.org {|&\n\ttls internal|' /root/operate/Caddyfile
printf '#!/bin/sh\n' > /opt/stand-ins/certbot
chmod 755 /opt/stand-ins/certbot
END
  for name in s3 db1 db2; do
    on "$name" <<'END'
printf '#!/bin/sh\nexec curl -sS -k --max-time 20 "$@"\n' > /usr/local/bin/ask
chmod 755 /usr/local/bin/ask
END
  done
  for name in node1 balancer; do
    on "$name" <<END
adduser --quiet --system --group --no-create-home --home /var/lib/cloakroom cloakroom
install -d -m 700 /etc/cloakroom
# Every user may run it, whatever its rights were.
install -m 755 $bun /usr/local/bin/bun
printf '#!/bin/sh\nexec bun $project/src/main.ts "\$@"\n' > /usr/local/bin/cloakroom
chmod 755 /usr/local/bin/cloakroom
cp $project/docs/operate/cloakroom.service /etc/systemd/system/
cat > /etc/cloakroom/cloakroom.env <<EOF
PUBLIC_URL=https://skins.example.org
MAIL_FROM=Skins <noreply@example.org>
PROTOCOLS=none
SERVICE_API_TOKEN=a-token-for-streams-of-the-guide-7f3a
EOF
END
  done
  on node1 <<'END'
printf 'HOST=0.0.0.0\nTRUSTED_PROXIES=10.0.0.31\n' >> /etc/cloakroom/cloakroom.env
sed -i '/LISTEN_UNIX/d' /etc/systemd/system/cloakroom.service
END
  for name in node1 balancer; do
    on "$name" <<'END'
systemctl start cloakroom
for try in {1..300}; do [[ -f /var/lib/cloakroom/secrets/jwt-secret ]] && break; sleep 0.2; done
END
  done
}

# The proxy serves, on both kinds of address.
serves() {
  on db1 <<'END'
for try in {1..100}; do ask --fail -o /dev/null https://skins.example.org/health/live 2> /dev/null && break; sleep 0.2; done
ask --fail -o /dev/null https://skins.example.org/health/live
ask --fail -o /dev/null --resolve 'skins.example.org:443:[fd00:9::31]' https://skins.example.org/health/live
END
}

# Pages are led to https, the API is not, and what the console counts by arrives: its own page is told from another site's.
led() {
  on db1 <<'END'
[[ $(ask -o /dev/null -w '%{http_code} %{redirect_url}' http://skins.example.org/login) =~ ^30[18]\ https://skins.example.org/login$ ]]
[[ $(ask -o /dev/null -w '%{http_code} %{redirect_url}' http://skins.example.org/api/home) == '403 ' ]]
sign_in() {
  ask -o /dev/null -w '%{http_code}' https://skins.example.org/console/session -H 'Content-Type: application/json' \
    -d '{"username":"You","password":"not the password"}' -H 'X-Cloakroom-Console: 1' -H "$1" -H "$2"
}
[[ $(sign_in 'Origin: https://skins.example.org' 'Sec-Fetch-Site: same-origin') == 401 ]]
[[ $(sign_in 'Origin: https://other.example.org' 'Sec-Fetch-Site: cross-site') == 403 ]]
END
}

# Another client is served while the attacker holds what it got.
watched() {
  on db1 <<'END'
rm -f /root/{now,served,failed}
(
  for way in 10.0.0.31 fd00:9::31; do
    for try in {1..600}; do [[ -f /root/now ]] && break; sleep 0.2; done
    ask --fail -o /dev/null --resolve "skins.example.org:443:[$way]" https://skins.example.org/health/live || touch /root/failed
    touch /root/served
    for try in {1..600}; do [[ -f /root/now ]] || break; sleep 0.2; done
  done
) > /dev/null 2>&1 < /dev/null &
END
}

# One address opens 400 connections: 128 of them are taken at most. Meanwhile its next request is refused, and others are served. Silent
# connections are closed, and then the address is served again. The same for a /64.
bounded() {
  on s3 <<END
for way in 10.0.0.31 fd00:9::31; do
  own=; [[ \$way == fd* ]] && own=fd00:1::41
  rm -f /root/held
  setsid $bun $project/test/guide/proxy-attack.ts hold "\$way" 400 \$own > /root/held 2>&1 < /dev/null &
  for try in {1..300}; do grep -q held /root/held && break; sleep 0.2; done
  echo "\$way: \$(head -n 1 /root/held)" >&2
  held=\$(sed -n 's/^held //p' /root/held)
  (( held >= 100 && held <= 128 ))
  ask=(ask --fail -o /dev/null --resolve "skins.example.org:443:[\$way]" https://skins.example.org/health/live)
  [[ \$way == fd* ]] && ask+=(--interface fd00:1::42)
  if "\${ask[@]}" 2> /dev/null; then echo "the attacker is served"; exit 1; fi
  touch /opt/machines/db1.example.org/root/now
  for try in {1..300}; do [[ -f /opt/machines/db1.example.org/root/served ]] && break; sleep 0.2; done
  rm /opt/machines/db1.example.org/root/{served,now}
  for try in {1..600}; do [[ \$(wc -l < /root/held) == 2 ]] && break; sleep 0.2; done
  tail -n 1 /root/held >&2
  [[ \$(tail -n 1 /root/held) == closed ]]
  # HAProxy counts what was opened in the last ten seconds, too.
  for try in {1..60}; do "\${ask[@]}" 2> /dev/null && break; sleep 1; done
  "\${ask[@]}"
done
END
  on db1 <<'END'
[[ ! -f /root/failed ]]
END
}

# A head that does not end is cut, a slow body gets its answer, a stream of events outlives every timeout.
slow() {
  on db2 <<END
attack=$project/test/guide/proxy-attack.ts
setsid curl -sS -k -N --http1.1 --max-time 135 https://skins.example.org/api/service/events \
  -H 'Authorization: a-token-for-streams-of-the-guide-7f3a' > /root/events 2> /root/events-end < /dev/null &
$bun \$attack slow-head 10.0.0.31 > /root/head < /dev/null &
$bun \$attack slow-body 10.0.0.31 > /root/body < /dev/null
echo "a slow body: \$(cat /root/body)" >&2
[[ \$(cat /root/body) == 401 ]]
for try in {1..300}; do [[ -s /root/head ]] && break; sleep 0.2; done
echo "a slow head: \$(cat /root/head)" >&2
[[ \$(cat /root/head) == cut ]]
END
}

# The stream was open to its end: curl ended it, and a comment came every 15 seconds.
streamed() {
  on db2 <<'END'
for try in {1..900}; do [[ -s /root/events-end ]] && break; sleep 0.2; done
cat /root/events-end >&2
grep -q 'timed out after 13' /root/events-end
(( $(grep -c '^:' /root/events) >= 8 ))
END
}

# No code and no secret of a path is in what the proxy wrote, not of requests that fail either.
discreet() {
  local service=$1
  on db1 <<'END'
ask -o /dev/null 'https://skins.example.org/login?code=HIDDEN-FIRST'
ask -o /dev/null 'https://skins.example.org/mail/unsubscribe/HIDDEN-SECOND?x=1'
ask -o /dev/null 'https://skins.example.org/api/aurora/HIDDEN-THIRD/auth'
ask -o /dev/null 'http://skins.example.org/reset?code=HIDDEN-FOURTH'
ask -o /dev/null -e 'https://other.example.org/?code=HIDDEN-FIFTH' 'https://skins.example.org/login'
END
  on "$service" <<'END'
systemctl stop cloakroom
END
  on db1 <<'END'
ask -o /dev/null 'https://skins.example.org/reset?code=HIDDEN-SIXTH' || true
ask -o /dev/null 'https://skins.example.org/api/aurora/HIDDEN-SEVENTH/auth?code=HIDDEN-EIGHTH' -e 'https://a.example/?code=HIDDEN-NINTH' || true
END
  on balancer <<'END'
cat /var/log/{haproxy,caddy}.log /var/log/nginx/cloakroom*.log 2> /dev/null | tail -n 12 >&2 || true
if grep -rn HIDDEN /var/log; then echo "a log holds a code"; exit 1; fi
END
}

check() {
  serves
  led
  slow
  watched
  bounded
  streamed
  discreet "$1"
}

#!/bin/bash
# certificates.sh SERVER… — for points 1 of scale-out.md and patroni.md. Makes an authority, passwords and a certificate for each
# database server in the current folder, and copies to each server what it needs. Replace example.org with your domain.
set -e
domain=example.org
for name in password replication-password rewind-password; do openssl rand -hex 24 > $name; done
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=our databases" -keyout ca.key -out ca.crt
for name; do
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name.$domain" -keyout $name.key -out $name.csr
  # The second name is for poolers behind a HAProxy of their own.
  openssl x509 -req -in $name.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -out $name.crt \
    -extfile <(echo "subjectAltName=DNS:$name.$domain,DNS:database.$domain")
  scp -q ca.crt $name.crt $name.key ./*password root@$name.$domain:/root/
done

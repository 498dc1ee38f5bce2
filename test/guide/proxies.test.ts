/*
 * The files of the proxies in docs/operate: what the long form (proxies-full.ts) plays, as far as their text
 * shows it.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { projectRoot } from "../tidy/project-files.ts";

const read = (name: string) => Bun.file(join(projectRoot, "docs/operate", name)).text();
/** Without comments: what is explained there is no setting. */
const settingsIn = async (name: string) => (await read(name)).replaceAll(/^\s*#.*$/gm, "");

const clientMax = 128;
/** A stream of events has a comment so often; a proxy that hears nothing for longer waits on. */
const commentSeconds = 15;

test("one client has 128 connections at once, an IPv6 network of 64 bits counts as one", async () => {
  const haproxy = await settingsIn("haproxy.cfg");
  expect(haproxy).toContain("track-sc0 src,ipmask(32,64)");
  expect(haproxy).toContain(`tcp-request connection reject if { sc0_conn_cur gt ${clientMax} }`);
  expect(haproxy).not.toContain("v4v6");
  const nft = await settingsIn("connections.nft");
  expect(nft.match(new RegExp(`ct count over ${clientMax}\\b`, "g"))).toHaveLength(2);
  expect(nft).toContain("ip6 saddr & ffff:ffff:ffff:ffff::");
  const nginx = await settingsIn("nginx.conf");
  expect(nginx).toMatch(/^limit_conn_zone \$cloakroom_client /m);
  expect(nginx).toMatch(/^ +limit_conn cloakroom_client \d+;/m);
});

test("heads come within ten seconds, and streams of events outlive every timeout", async () => {
  const heads = [
    /timeout http-request (\d+)s/.exec(await settingsIn("haproxy.cfg")),
    /client_header_timeout (\d+)s/.exec(await settingsIn("nginx.conf")),
    /read_header (\d+)s/.exec(await settingsIn("Caddyfile")),
  ];
  expect(heads.map((found) => found?.[1])).toEqual(["10", "10", "10"]);
  const silences = [
    ...(await settingsIn("haproxy.cfg")).matchAll(/timeout (?:client|server) (\d+)s/g),
    ...(await settingsIn("nginx.conf")).matchAll(/(?:send|proxy_read)_timeout (\d+)s/g),
  ].map(([, seconds]) => Number(seconds));
  expect(silences).toHaveLength(4);
  for (const seconds of silences) expect(seconds).toBeGreaterThanOrEqual(2 * commentSeconds);
  // Of the whole request in Caddy: it ends a stream, too.
  expect(await settingsIn("Caddyfile")).not.toMatch(/read_body|write /);
});

test("no line of a log has the query of an address", async () => {
  const haproxy = await settingsIn("haproxy.cfg");
  expect(haproxy).not.toContain("option httplog");
  expect(haproxy).toMatch(/log-format "[^"]*%HM %\[var\(txn\.path\)\] %HV"/);
  expect(haproxy).not.toMatch(/%HU|%HP\b|%HQ|%r\b|capture/);
  const nginx = await settingsIn("nginx.conf");
  const format = /log_format cloakroom '([^']*)'/.exec(nginx)?.[1] ?? "";
  expect(format).toContain("$request_method $cloakroom_path $server_protocol");
  expect(format).not.toMatch(/\$request\b|\$request_uri|\$uri|\$args|referer/);
  const servers = nginx.split(/^server \{/m).slice(1);
  for (const server of servers) {
    expect(server).toMatch(/^ +access_log \S+ cloakroom;/m);
    expect(server).toMatch(/^ +error_log \S+ alert;/m);
  }
  expect(servers).toHaveLength(2);
  expect(await settingsIn("Caddyfile")).toMatch(/request>uri regexp \S+ "\$1"\s+request>headers delete/);
});

/**
 * The lines of the two backends, but for names, ports and the slow start, which one machine does not need.
 */
const backendsOf = (haproxy: string) =>
  haproxy
    .slice(haproxy.search(/^ *backend nodes$/m))
    .split("\n")
    .map((line) => line.trim().replace(" slowstart 5s", ""))
    .filter((line) => /^(?:backend|balance|option|http-check|default-server)\b/.test(line));

test("compose.yml chooses nodes as haproxy.cfg does", async () => {
  const [own, composed] = [await settingsIn("haproxy.cfg"), await settingsIn("compose.yml")];
  expect(backendsOf(own)).toHaveLength(9);
  expect(backendsOf(composed)).toEqual(backendsOf(own));
  for (const line of ["use_backend unready if", "http-error status 503"]) {
    const found = [own, composed].map((text) =>
      text
        .split("\n")
        .find((one) => one.includes(line))
        ?.trim(),
    );
    expect(found[1]).toBe(found[0]);
    expect(found[0]).toContain(line);
  }
});

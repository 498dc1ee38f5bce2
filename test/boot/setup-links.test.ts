/** Links of the set-up that can be opened (docs/guide/console.md#the-first-administrator). */
import { describe, expect, test } from "bun:test";
import type { NetworkInterfaceInfo } from "node:os";
import { openableAddresses, tunnelCommand, type Interfaces } from "../../src/boot/setup-links.ts";

function at(address: string, internal = false): NetworkInterfaceInfo {
  const family = address.includes(":") ? "IPv6" : "IPv4";
  // The rest is not looked at.
  return { address, family, internal } as NetworkInterfaceInfo;
}

const machine: Interfaces = {
  lo: [at("127.0.0.1", true), at("::1", true)],
  docker0: [at("172.17.0.1")],
  "br-6f2a91": [at("172.18.0.1"), at("fe80::42:1")],
  veth12ab: [at("fe80::8c:1")],
  eth0: [at("2001:db8::5"), at("203.0.113.5"), at("fe80::fc:1")],
  usb0: [at("169.254.7.7")],
  wlan0: [at("192.168.1.20")],
  gone: undefined,
};

const open = "http://0.0.0.0:3000";

describe("the addresses that are shown", () => {
  test.each([
    ["HOST is this machine's", { host: "127.0.0.1" }, "http://127.0.0.1:3000", ["http://127.0.0.1:3000"]],
    ["HOST is one address", { host: "203.0.113.5" }, "http://203.0.113.5:3000", ["http://203.0.113.5:3000"]],
    [
      "HOST is all IPv4 addresses",
      { host: "0.0.0.0" },
      open,
      ["http://203.0.113.5:3000", "http://192.168.1.20:3000", "http://localhost:3000"],
    ],
    [
      "HOST is all addresses",
      { host: "::" },
      "https://[::]:3443",
      [
        "https://203.0.113.5:3443",
        "https://192.168.1.20:3443",
        "https://[2001:db8::5]:3443",
        "https://localhost:3443",
      ],
    ],
    [
      "the port is the scheme's",
      { host: "0.0.0.0" },
      "http://0.0.0.0:80",
      ["http://203.0.113.5", "http://192.168.1.20", "http://localhost"],
    ],
    [
      "PUBLIC_URL is set",
      { host: "0.0.0.0", publicUrl: "https://skins.example.org/a" },
      "https://skins.example.org/a",
      ["https://skins.example.org/a"],
    ],
  ])("where %s", (_, given, base, addresses) => {
    expect(openableAddresses({ publicUrl: null, ...given }, base, () => machine)).toEqual(addresses);
  });

  test("are few on a machine with many, and one on a machine without a network", () => {
    const many = { eth0: Array.from({ length: 500 }, (_, n) => at(`10.0.${n >> 8}.${n & 255}`)) };
    const config = { host: "0.0.0.0", publicUrl: null };
    expect(openableAddresses(config, open, () => many)).toHaveLength(4);
    expect(openableAddresses(config, open, () => ({}))).toEqual(["http://localhost:3000"]);
  });
});

describe("the way by ssh", () => {
  const connection = "198.51.100.7 50122 203.0.113.5 22";
  const local = { host: "127.0.0.1", publicUrl: null };
  const base = "http://127.0.0.1:3000";

  test.each([
    [
      "22",
      local,
      base,
      { SSH_CONNECTION: connection, USER: "root" },
      "ssh -L 3000:127.0.0.1:3000 root@203.0.113.5",
    ],
    [
      "another",
      local,
      base,
      { SSH_CONNECTION: connection.replace(" 22", " 2200"), USER: "anna" },
      "ssh -p 2200 -L 3000:127.0.0.1:3000 anna@203.0.113.5",
    ],
    [
      "22 and HOST is IPv6",
      { ...local, host: "::1" },
      "http://[::1]:3000",
      { SSH_CONNECTION: connection },
      "ssh -L 3000:[::1]:3000 you@203.0.113.5",
    ],
  ])("is shown where its port is %s", (_, ...[config, address, environment, command]) => {
    expect(tunnelCommand(config, address, environment)).toBe(command);
  });

  test.each([
    ["no person came by ssh", local, {}],
    ["other machines reach the server", { ...local, host: "0.0.0.0" }, { SSH_CONNECTION: connection }],
    ["PUBLIC_URL is set", { ...local, publicUrl: "https://a.example" }, { SSH_CONNECTION: connection }],
    ["the variable is another text", local, { SSH_CONNECTION: "x; rm -rf /" }],
    ["the user's name is no name", local, { SSH_CONNECTION: connection, USER: "a b; c" }],
  ])("is not shown where %s", (_, config, environment) => {
    expect(tunnelCommand(config, base, environment)).toBeNull();
  });
});

/**
 * What `serve` prints while a community has no administrator: links that can be opened, from this machine or
 * from others.
 */
import type { NetworkInterfaceInfo } from "node:os";
import { isLoopbackHost } from "../kernel/ip-address.ts";
import type { Config } from "./config.ts";

/** As `networkInterfaces` of `node:os` has them. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** The most addresses of this machine that are shown. One suffices; a machine may have hundreds. */
const addressesMax = 3;

/** Bridges of containers and virtual machines: no other machine reaches this one through them. */
const innerNames =
  /^(?:docker|br-|bridge|veth|virbr|vmnet|vboxnet|lxc|lxd|incus|cni|flannel|cali|podman|kube|nerdctl)/i;

/**
 * Addresses at which people can open the pages, the best first: that of PUBLIC_URL or of HOST alone, because
 * pages work nowhere else, and with a HOST that stands for all addresses those of this machine's networks
 * and, last, this machine itself. `base`: where the server is by its settings, with the port that was taken.
 */
export function openableAddresses(
  { host, publicUrl }: Pick<Config, "host" | "publicUrl">,
  base: string,
  interfaces: () => Interfaces,
): readonly string[] {
  if (publicUrl !== null || !isForAll(host)) return [base];
  const { protocol, port } = new URL(base);
  const place = port === "" ? "" : `:${port}`;
  const own = reachable(interfaces(), host === "0.0.0.0").map((address) =>
    address.includes(":") ? `[${address}]` : address,
  );
  return [...own.slice(0, addressesMax), "localhost"].map((name) => `${protocol}//${name}${place}`);
}

function isForAll(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/**
 * Addresses by which other machines may reach this one, IPv4 first. Link-local ones need the name of an
 * interface.
 */
function reachable(interfaces: Interfaces, isIpv4Alone: boolean): readonly string[] {
  const found = Object.entries(interfaces)
    .filter(([name]) => !innerNames.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .filter(({ internal, address }) => !internal && !/^(?:169\.254\.|fe[89ab])/i.test(address));
  const of = (wanted: string) =>
    found.filter(({ family }) => family === wanted).map(({ address }) => address);
  return [...new Set([...of("IPv4"), ...(isIpv4Alone ? [] : of("IPv6"))])];
}

/**
 * How a person who is connected by ssh opens a server that listens on this machine alone; null without ssh.
 * `SSH_CONNECTION` is `<client> <port> <server> <port>` (ssh(1), ENVIRONMENT).
 */
export function tunnelCommand(
  { host, publicUrl }: Pick<Config, "host" | "publicUrl">,
  base: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const { SSH_CONNECTION: connection = "", USER: user = "you" } = environment;
  const [, server, sshPort] = /^\S+ \d+ (?<server>[0-9a-fA-F.:]+) (?<port>\d+)$/.exec(connection) ?? [];
  if (server === undefined || publicUrl !== null || !isLoopbackHost(host) || !/^[\w.-]+$/.test(user))
    return null;
  const { port: given, hostname } = new URL(base);
  const port = given === "" ? "80" : given;
  const way = sshPort === "22" ? "" : `-p ${sshPort} `;
  return `ssh ${way}-L ${port}:${hostname}:${port} ${user}@${server}`;
}

/**
 * TCP connections that a port of this process has accepted, as the kernel sees them: the runtime shows none
 * without a request.
 */
import { dlopen, ptr } from "bun:ffi";
import { formatIpAddress, isMappedIpv4, parseIpAddress } from "../../kernel/ip-address.ts";

/** An open connection. */
export type AcceptedSocket = {
  readonly descriptor: number;
  /** The client's address in its canonical spelling. */
  readonly address: string;
  readonly port: number;
  /** Milliseconds since the last byte was sent to the client, or since the connection was accepted. */
  readonly silentMs: number;
  /** Whether the client has yet to take bytes of an answer. */
  readonly isSending: boolean;
};

export type AcceptedSockets = {
  /** Null for a descriptor of anything else, and for a connection that is ending. */
  readonly read: (descriptor: number) => AcceptedSocket | null;
  /**
   * Ends the connection as if its client had hung up, so that the server closes it in its next turn. Returns
   * false, and leaves it open, if something was sent or has come on it since it was read.
   */
  readonly hangUp: (socket: AcceptedSocket) => boolean;
};

const functions = {
  getpeername: { args: ["int", "ptr", "ptr"], returns: "int" },
  getsockname: { args: ["int", "ptr", "ptr"], returns: "int" },
  getsockopt: { args: ["int", "int", "int", "ptr", "ptr"], returns: "int" },
  recv: { args: ["int", "ptr", "u64", "int"], returns: "i64" },
  shutdown: { args: ["int", "int"], returns: "int" },
} as const;

/** Linux's numbers, the same on all processors that we build for. */
const ipv4 = 2;
const ipv6 = 10;
const protocolTcp = 6;
const tcpInfo = 11;
const established = 1;
const bothWays = 2;
const peekWithoutWaiting = 0x02 | 0x40;

/** `struct sockaddr_in6`, the larger one. */
const addressBytes = 28;
/** `struct tcp_info` up to the last field that is read, in words of four bytes. */
const info = { words: 37, unacknowledged: 6, sentBeforeMs: 11, unsentBytes: 36 } as const;

/** The connections that were accepted on this port. Null where the C library cannot be called. */
export function acceptedSockets(port: number): AcceptedSockets | null {
  const system = openLibrary();
  if (system === null) return null;
  const address = new Uint8Array(addressBytes);
  const length = new Uint32Array(1);
  const facts = new Uint32Array(info.words);
  const portIn = () => ((address[2] ?? 0) << 8) | (address[3] ?? 0);
  const ask = (which: "getpeername" | "getsockname", descriptor: number): boolean => {
    length[0] = address.byteLength;
    return system[which](descriptor, ptr(address), ptr(length)) === 0;
  };
  const askFacts = (descriptor: number): boolean => {
    length[0] = facts.byteLength;
    const isAnswered = system.getsockopt(descriptor, protocolTcp, tcpInfo, ptr(facts), ptr(length)) === 0;
    return isAnswered && length[0] === facts.byteLength && ((facts[0] ?? 0) & 0xff) === established;
  };
  const read = (descriptor: number): AcceptedSocket | null => {
    if (!ask("getsockname", descriptor) || portIn() !== port) return null;
    if (!ask("getpeername", descriptor)) return null;
    const client = addressIn(address);
    const clientPort = portIn();
    if (client === null || !askFacts(descriptor)) return null;
    return {
      descriptor,
      address: client,
      port: clientPort,
      silentMs: facts[info.sentBeforeMs] ?? 0,
      isSending: facts[info.unacknowledged] !== 0 || facts[info.unsentBytes] !== 0,
    };
  };
  const byte = new Uint8Array(1);
  const hasUnread = (descriptor: number) =>
    Number(system.recv(descriptor, ptr(byte), 1, peekWithoutWaiting)) > 0;

  return {
    read,
    hangUp: (socket) => {
      const now = read(socket.descriptor);
      const isSame = now !== null && now.port === socket.port && now.address === socket.address;
      if (!isSame || now.silentMs < socket.silentMs || hasUnread(now.descriptor)) return false;
      return system.shutdown(now.descriptor, bothWays) === 0;
    },
  };
}

/** In glibc's name, or in musl's. */
function openLibrary() {
  const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
  for (const name of ["libc.so.6", `libc.musl-${machine}.so.1`]) {
    try {
      return dlopen(name, functions).symbols;
    } catch {
      // The other one.
    }
  }
  return null;
}

/** The address in a `sockaddr`; null for one of another family. */
function addressIn(bytes: Uint8Array): string | null {
  const [family] = bytes;
  if (family === ipv4) return bytes.subarray(4, 8).join(".");
  if (family !== ipv6) return null;
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[8 + 2 * at] ?? 0) << 8) | (bytes[9 + 2 * at] ?? 0)).toString(16),
  );
  const address = parseIpAddress(groups.join(":"));
  if (address === null) return null;
  return isMappedIpv4(address) ? bytes.subarray(20, 24).join(".") : formatIpAddress(address);
}

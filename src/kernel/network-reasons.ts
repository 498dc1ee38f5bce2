import { codeOf } from "./errors.ts";

const noAddress = "no address is known for its name";
const noNameServer = "no name server answers, so its address is not known now";
const unreachable = "this machine has no route to it";
const refused = "nothing listens there";
const cut = "the connection was interrupted";
const late = "no answer in time";

/** Keys are error codes of the system and of Bun's own clients. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: noAddress,
  ENODATA: noAddress,
  EAI_AGAIN: noNameServer,
  EAI_FAIL: noNameServer,
  ESERVFAIL: noNameServer,
  ETIMEOUT: noNameServer,
  DNSResolveFailed: "no address is known for its name, or no name server answers",
  ECONNREFUSED: refused,
  ConnectionRefused: refused,
  ENETUNREACH: unreachable,
  EHOSTUNREACH: unreachable,
  ECONNRESET: cut,
  EPIPE: cut,
  ConnectionClosed: cut,
  ETIMEDOUT: late,
  Timeout: late,
};

/**
 * Returns why a connection failed, in words and with the code; null for any other error. Only for errors that
 * hold no more than a code: the words of a server or a client library are better.
 */
export function networkReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const [, called] = /^(?:(?:getaddrinfo|connect|read|write) )?(E[A-Z_]{3,})\b/.exec(error.message) ?? [];
  const [, bare] = /^an unexpected error has occurred$/i.test(error.message) ? ["", codeOf(error)] : [];
  const code = called ?? bare ?? "";
  const reason = reasons[code];
  return reason === undefined ? null : `${reason} (${code})`;
}

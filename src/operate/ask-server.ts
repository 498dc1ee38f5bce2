/** Asks servers for their health, above all the server of these settings. */
import { codeOf } from "../kernel/errors.ts";
import type { Config } from "../boot/config.ts";

/** The result: no answer, another program's answer, or one of cloakroom. */
export type HealthAnswer =
  | { readonly state: "silent"; readonly cause: unknown; readonly code: string }
  | { readonly state: "other"; readonly status: number }
  | {
      readonly state: "cloakroom";
      readonly status: number;
      readonly data: unknown;
      /** The server's clock, in milliseconds; null if the answer has no date. */
      readonly date: number | null;
    };

type HealthPath = "/health/live" | "/health/ready";
type Place = Pick<Config, "host" | "port" | "socketFile" | "tls">;

/** Answers of cloakroom are far smaller. */
const answerBytesMax = 64 * 1024;

/** Where a server with these settings listens, in words: `port 3000 by https`. */
export function placeText({ port, socketFile, tls }: Place): string {
  return socketFile ?? `port ${port}${tls === null ? "" : " by https"}`;
}

/** Asks the server where these settings listen, past any proxy. */
export function askOwnServer(
  { host, port, socketFile, tls }: Place,
  path: HealthPath,
  signal: AbortSignal,
): Promise<HealthAnswer> {
  const how = { signal, proxy: false } as const;
  if (socketFile !== null) return askAddress(`http://localhost${path}`, { ...how, unix: socketFile });
  const place = `${reachableHost(host)}:${port}${path}`;
  if (tls === null) return askAddress(`http://${place}`, how);
  // The certificate is for the public name, and the answer is not secret.
  return askAddress(`https://${place}`, { ...how, tls: { rejectUnauthorized: false } });
}

/** Asks the address. Never fails. */
export async function askAddress(address: string, how: BunFetchRequestInit): Promise<HealthAnswer> {
  try {
    const answer = await fetch(address, { ...how, redirect: "manual" });
    const { status } = answer;
    const envelope = readEnvelope(await smallText(answer));
    if (envelope === null) return { state: "other", status };
    const date = Date.parse(answer.headers.get("date") ?? "");
    return { state: "cloakroom", status, ...envelope, date: Number.isNaN(date) ? null : date };
  } catch (cause) {
    return { state: "silent", cause, code: codeOf(cause) ?? "" };
  }
}

/** An address that reaches a server on this host setting; IPv6 in brackets (RFC 3986 3.2.2). */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** Empty if it is larger than any answer of cloakroom. */
async function smallText(answer: Response): Promise<string> {
  const length = Number(answer.headers.get("content-length") ?? answerBytesMax + 1);
  if (length <= answerBytesMax) return answer.text();
  await answer.body?.cancel();
  return "";
}

/** All answers of cloakroom have the envelope, refusals too. */
function readEnvelope(text: string): { readonly data: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    return "error" in value && "msg" in value && "url" in value && "data" in value
      ? { data: value.data }
      : null;
  } catch {
    return null;
  }
}

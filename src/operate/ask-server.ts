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

/** Health, or a public key. */
type AskedPath = "/health/live" | "/health/ready" | "/api/yggdrasil" | "/ely/signature-verification-key.pem";
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
  path: AskedPath,
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
    const envelope = readEnvelope(await boundedText(answer));
    if (envelope === null) return { state: "other", status };
    const date = Date.parse(answer.headers.get("date") ?? "");
    return { state: "cloakroom", status, ...envelope, date: Number.isNaN(date) ? null : date };
  } catch (cause) {
    return { state: "silent", cause, code: codeOf(cause) ?? "" };
  }
}

/**
 * The answer for a texture: its ETag, empty without one, and whether cloakroom refused it, in its own form.
 */
export type TextureAnswer =
  | { readonly state: "silent"; readonly cause: unknown }
  | { readonly state: "answered"; readonly status: number; readonly tag: string; readonly isOurs: boolean };

/** Asks for the texture of an address, and leaves the picture where it is. Never fails. */
export async function askTexture(address: string, signal: AbortSignal): Promise<TextureAnswer> {
  try {
    const answer = await fetch(address, { signal, redirect: "manual" });
    const { status } = answer;
    const tag = answer.headers.get("etag") ?? "";
    if (status !== 200)
      return { state: "answered", status, tag, isOurs: readEnvelope(await boundedText(answer)) !== null };
    await answer.body?.cancel();
    return { state: "answered", status, tag, isOurs: false };
  } catch (cause) {
    return { state: "silent", cause };
  }
}

/** An address that reaches a server on this host setting; IPv6 in brackets (RFC 3986 3.2.2). */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** The body; null if it is larger. A proxy that compresses says no length beforehand. */
export async function boundedText({ body }: Response, bytesMax = answerBytesMax): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString();
}

/** All answers of cloakroom have the envelope, refusals too. */
function readEnvelope(text: string | null): { readonly data: unknown } | null {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (typeof value !== "object" || value === null) return null;
    return "error" in value && "msg" in value && "url" in value && "data" in value
      ? { data: value.data }
      : null;
  } catch {
    return null;
  }
}

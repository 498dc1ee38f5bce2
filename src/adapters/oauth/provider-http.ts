import { providerFailed } from "../../domain/social/provider.ts";
import { codeOf, type AppError } from "../../kernel/errors.ts";
import { networkReason } from "../../kernel/network-reasons.ts";

/** The requests of one sign-in to one provider. The signal limits the time of all of them together. */
export type ProviderCall = { readonly provider: string; readonly signal: AbortSignal };

/** A provider's answer: its status and its JSON. Integers that a double cannot hold are text. */
export type JsonAnswer = { readonly status: number; readonly body: unknown };
export type JsonRecord = Readonly<Record<string, unknown>>;

export type ProviderRequest = {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form, by POST; without it the request is a GET. */
  readonly form?: URLSearchParams;
};

/** Profiles and key sets have some kilobytes. */
const bodyBytesMax = 256 * 1024;

/**
 * Sends a request to a provider. Fails as `providerFailed` does without a JSON answer in time; the caller
 * judges the status. Redirects are not followed: they could carry codes and secrets to an address that is not
 * configured.
 */
export async function askJson(
  call: ProviderCall,
  url: string,
  { headers = {}, form }: ProviderRequest = {},
): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      headers: { accept: "application/json", "user-agent": "cloakroom", ...headers },
      ...(form === undefined ? {} : { body: form }),
      redirect: "manual",
      signal: call.signal,
    });
    return { status: response.status, body: await readJson(response) };
  } catch (cause) {
    throw providerFailed(call.provider, reasonOf(cause), { url: withoutQuery(url) });
  }
}

/** Resolves to the JSON object of a 200 answer. Fails as `providerFailed` does for any other answer. */
export async function askRecord(
  call: ProviderCall,
  url: string,
  request: ProviderRequest = {},
): Promise<JsonRecord> {
  const { status, body } = await askJson(call, url, request);
  const record = recordOf(body);
  if (status === 200 && record !== null) return record;
  throw unexpected(call, url, { status, body });
}

/** The failure for an answer that makes no sense. */
export function unexpected({ provider }: ProviderCall, url: string, { status, body }: JsonAnswer): AppError {
  const error = textOf(recordOf(body)?.["error"])?.slice(0, 64);
  const facts = error === undefined ? {} : { error_code: error };
  return providerFailed(provider, "unexpected answer", { url: withoutQuery(url), status, ...facts });
}

/** The value if it is an object with fields, else null. */
export function recordOf(value: unknown): JsonRecord | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return { ...value };
}

/** The value if it is a text that is not empty, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** An answer that cannot be read; the message goes to the operator's log. */
class UnreadableAnswer extends Error {}

async function readJson(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    await response.body?.cancel();
    throw new UnreadableAnswer(`no JSON (status ${response.status})`);
  }
  const text = await readBounded(response);
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    throw new UnreadableAnswer(`broken JSON (status ${response.status})`);
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > bodyBytesMax) throw new UnreadableAnswer(`more than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString();
}

/** Some providers send ids as numbers that a double cannot hold (JSON.parse source text access). */
function keepDigits(_: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
  const isInexact = typeof value === "number" && !Number.isSafeInteger(value);
  return isInexact && /^\d+$/.test(source) ? source : value;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof UnreadableAnswer) return cause.message;
  if (cause instanceof DOMException && cause.name === "TimeoutError") return "no answer in time";
  const reason = networkReason(cause) ?? codeOf(cause);
  return reason === null ? "no connection" : `no connection: ${reason}`;
}

/** Queries may hold secrets. */
function withoutQuery(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

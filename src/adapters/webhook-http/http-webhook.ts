import type { SendWebhook } from "../../domain/ports/webhook-sender.ts";
import { codeOf } from "../../kernel/errors.ts";
import { networkReason } from "../../kernel/network-reasons.ts";

/** How long a receiver may take to answer. */
const answerMs = 10_000;
/** What is read of an answer, so that its connection can be used again. A longer one ends it. */
const answerBytesMax = 16 * 1024;

/**
 * Sends by HTTP. An answer of 2xx in time is a yes. Redirects are not followed: an event goes to the address
 * that the operator wrote, and to no other. Credentials in the address are sent as `Authorization: Basic`.
 */
export function httpWebhooks({ timeLimitMs = answerMs } = {}): SendWebhook {
  return async (address, { id, timestamp, signature, body }, interrupt) => {
    const { url, authorization } = withoutCredentials(address);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "cloakroom",
          "accept-encoding": "identity",
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signature,
          ...authorization,
        },
        body,
        redirect: "manual",
        // Unpacking happens before the body is read: a small answer would fill the memory.
        decompress: false,
        signal: AbortSignal.any([interrupt, AbortSignal.timeout(timeLimitMs)]),
      });
      await passOver(response);
      return response.ok ? null : `status ${response.status}`;
    } catch (cause) {
      return reasonOf(cause);
    }
  };
}

function withoutCredentials(address: string) {
  const url = new URL(address);
  const { username, password } = url;
  if (username + password === "") return { url: address, authorization: {} };
  url.username = "";
  url.password = "";
  const pair = [username, password].map(decoded).join(":");
  return { url: url.href, authorization: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` } };
}

/** A text that is no percent-encoding is what it says. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The status says everything: what comes after it is not needed, and may never end. */
async function passOver({ body }: Response): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > answerBytesMax) return;
    }
  } catch {
    // Cut off, or out of time.
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof DOMException && cause.name === "TimeoutError") return "no answer in time";
  const reason = networkReason(cause) ?? codeOf(cause);
  return reason === null ? "no connection" : `no connection: ${reason}`;
}

import { PlainError } from "../../kernel/errors.ts";
import { commandLine } from "../model/actor.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";
import type { WebhookProgress } from "../ports/webhook-store.ts";
import { webhookHash, webhookName } from "./webhook-address.ts";

/** An address that gets events, for operators. */
export type WebhookState = {
  /** See `webhookName`. */
  readonly name: string;
  /** How many events it has yet to get, at most: those that a later one has replaced are counted. */
  readonly behind: number;
  /** Null if no server has begun with the address. */
  readonly progress: WebhookProgress | null;
};

/** How far each of these addresses has come, in their order. */
export async function webhookStates(
  { events, webhooks }: Pick<Reads, "events" | "webhooks">,
  urls: readonly string[],
): Promise<readonly WebhookState[]> {
  const newest = await events.newestEventId();
  return Promise.all(
    urls.map(async (url) => {
      const progress = await webhooks.findWebhook(webhookHash(url));
      const behind = progress === null ? 0 : Math.max(0, newest - progress.position);
      return { name: webhookName(url), behind, progress };
    }),
  );
}

/**
 * Makes the next try of an address due at once, or, without one, of every address. Only operators do this.
 * Returns the names. Fails with not_found for an address that is not among the settings'.
 */
export async function retryWebhooks(
  { transact }: { readonly transact: Transact },
  urls: readonly string[],
  wanted: string | null,
): Promise<readonly string[]> {
  const chosen = urls.filter(
    (url) => wanted === null || [url, webhookName(url), webhookHash(url)].includes(normal(wanted)),
  );
  if (wanted !== null && chosen.length === 0)
    throw new PlainError("not_found", "WEBHOOK_URLS holds no such address; see cloakroom webhook list");
  await transact(commandLine, async ({ webhooks }) => {
    for (const url of chosen) await webhooks.bringWebhookForward(webhookHash(url));
  });
  return chosen.map(webhookName);
}

/** As settings hold it: `https://example.org` is `https://example.org/`. */
function normal(text: string): string {
  return !text.includes(" ") && URL.canParse(text) ? new URL(text).href : text;
}

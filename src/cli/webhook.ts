import { text } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import { openWebhookSecret } from "../boot/secrets.ts";
import { retryWebhooks, webhookStates, type WebhookState } from "../domain/events/webhook-state.ts";
import { json } from "./arguments.ts";
import { command } from "./command.ts";
import { countText, tableText } from "./output.ts";
import { timeText } from "./records.ts";

/** `webhook list`: prints a table of the addresses, without their secret parts. */
export const webhookList = command({
  name: "webhook list",
  summary: "lists the addresses that events are sent to, and how far each has come",
  details:
    "Addresses are those of WEBHOOK_URLS, in their order. Of each only the host is shown, because the rest may be secret." +
    " One that no server has begun with gets what happens from the next start on.",
  options: { json },
  run: async (_, { withServices }) => {
    const states = await withServices(({ reads }, { webhooks }) => webhookStates(reads, webhooks.urls));
    return { record: states.map(stateRecord), text: tableText(head, states.map(stateCells)) };
  },
});

const head = ["address", "position", "behind", "tries", "next try", "last delivery", "last error"];

function stateCells({ name, behind, progress }: WebhookState): readonly string[] {
  if (progress === null) return [name, "not begun", "-", "-", "-", "-", "-"];
  const { position, attempts, nextTryAt, deliveredAt, lastError } = progress;
  const times = [nextTryAt, deliveredAt].map((at) => (at === 0 ? "-" : timeText(at)));
  return [name, String(position), String(behind), String(attempts), ...times, lastError || "-"];
}

function stateRecord({ name, behind, progress }: WebhookState) {
  return {
    address: name,
    position: progress?.position ?? null,
    behind,
    attempts: progress?.attempts ?? 0,
    next_try: progress?.nextTryAt || null,
    delivered: progress?.deliveredAt || null,
    last_error: progress?.lastError || null,
  };
}

/** `webhook retry`: prints how many addresses are due now. */
export const webhookRetry = command({
  name: "webhook retry",
  summary: "makes the next try of every address that events are sent to due at once, or of one",
  details: "A running server tries within two seconds; if no server runs, the next one does.",
  positionals: {
    address: optional(text("ADDRESS"), "as in WEBHOOK_URLS, or as webhook list shows it", "every one"),
  },
  run: async ({ address }, { withServices }) => {
    const names = await withServices((services, { webhooks }) =>
      retryWebhooks(services, webhooks.urls, address),
    );
    return `${countText(names.length, "address is", "addresses are")} due now\n`;
  },
});

/** `webhook secret`: prints the secret alone, for scripts. */
export const webhookSecret = command({
  name: "webhook secret",
  summary: "shows the secret that events are signed with, for their receivers",
  details: "It is WEBHOOK_SECRET, or else a key in the data folder, which is made if it is not there yet.",
  run: async (_, { withServices }) => {
    const secret = await withServices(({ keys }, { webhooks }) => openWebhookSecret(keys, webhooks.secret));
    return `${secret.reveal()}\n`;
  },
});

/* A service with players whose names change, and readers of the events of that. */
import { createToken } from "../../src/domain/services/tokens.ts";
import { commandLine } from "../../src/domain/model/actor.ts";
import type { Player } from "../../src/domain/model/account.ts";
import type { Ports } from "../../src/boot/compose.ts";
import type { Harness } from "../support/harness.ts";
import { addMember, playerOf } from "../support/members.ts";

/** A server-sent event; a block without data is a comment or the beginning, whose `id` alone counts. */
export type SentEvent = { readonly id: string; readonly event: string; readonly data: string };

export type StreamReader = AsyncDisposable & {
  readonly response: Response;
  /** The next event; null: the stream has ended. */
  readonly next: () => Promise<SentEvent | null>;
  /** So many of the next events. */
  readonly take: (count: number) => Promise<readonly SentEvent[]>;
  /** All that came so far, comments too. */
  readonly text: () => string;
  /** Resolves when this stands in what came. */
  readonly until: (text: string) => Promise<void>;
};

export async function openStream(
  address: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReader> {
  const leaving = new AbortController();
  const response = await fetch(address, {
    headers: { authorization: token, ...headers },
    signal: leaving.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let read = 0;
  const more = async (): Promise<boolean> => {
    const { value, done = true } = (await reader?.read().catch(() => undefined)) ?? {};
    text += value ?? "";
    return !done;
  };
  const next = async (): Promise<SentEvent | null> => {
    for (;;) {
      const end = text.indexOf("\n\n", read);
      if (end < 0) {
        if (!(await more())) return null;
        continue;
      }
      const event = parse(text.slice(read, end));
      read = end + 2;
      if (event !== null) return event;
    }
  };
  return {
    response,
    next,
    take: async (count) => {
      const events: SentEvent[] = [];
      while (events.length < count) {
        const event = await next();
        if (event === null) throw new Error(`the stream ended after ${events.length} of ${count} events`);
        events.push(event);
      }
      return events;
    },
    text: () => text,
    until: async (wanted) => {
      while (!text.includes(wanted))
        if (!(await more())) throw new Error(`the stream ended without ${wanted}`);
    },
    [Symbol.asyncDispose]: async () => leaving.abort(),
  };
}

/** As the HTML standard has it (9.2.6). */
function parse(block: string): SentEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    fields.set(name, value);
  }
  const data = fields.get("data");
  if (data === undefined) return null;
  return { id: fields.get("id") ?? "", event: fields.get("event") ?? "message", data };
}

/** A token for the events. */
export async function eventToken({ services }: Harness, name = "follower"): Promise<string> {
  return (await createToken(services, commandLine, name, ["events"])).token;
}

export async function somePlayer(harness: Harness, name: string): Promise<Player> {
  return playerOf(harness, await addMember(harness, name));
}

/** Gives the player these names, one after the other: an event each. */
export async function rename(
  { transact }: Pick<Ports, "transact">,
  { id }: Player,
  ...names: readonly string[]
): Promise<void> {
  for (const name of names) await transact(commandLine, ({ players }) => players.renamePlayer(id, name));
}

/** Different names, as many as asked for. */
export const manyNames = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, index) => `Name_${from + index}`);

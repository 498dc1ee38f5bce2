import { setTimeout as pause } from "node:timers/promises";
import type { Membership } from "../adapters/postgres/cluster/nodes.ts";
import { AppError, PlainError } from "../kernel/errors.ts";
import type { Serving } from "./engines.ts";

/** A node that ended without a word counts as running for 15 seconds. */
const nameSeconds = 20;
const pauseMs = 1000;

/** The steps of an entry. */
export type Entrance = {
  /**
   * Resolves to null while another node has the name; fails with conflict beside one with another PUBLIC_URL.
   */
  readonly tryToEnter: () => Promise<Membership | null>;
  /** Fails with conflict where a node with another PUBLIC_URL has given a sign in these last seconds. */
  readonly refuseSince: (seconds: number) => Promise<void>;
};

/**
 * Enters the nodes. A node that ended without a word counts as running for some seconds, for which this
 * waits.
 */
export async function enter(
  { node, log, stopping }: Serving,
  { tryToEnter, refuseSince }: Entrance,
): Promise<Membership> {
  const began = performance.now();
  let said: string | null = null;
  for (;;) {
    const result = await tryToEnter().catch((error: unknown) => refusalOf(error));
    if (result !== null && !(result instanceof AppError)) return result;
    const what = result === null ? "a node of this name" : "a node with another PUBLIC_URL";
    const waited = (performance.now() - began) / 1000;
    if (result !== null) await refuseSince(waited);
    if (waited >= nameSeconds)
      throw (
        result ??
        new PlainError("conflict", `another node is called ${node}: give each node a NODE_NAME of its own`)
      );
    if (said !== what)
      log.warn(`${what} runs, or ended without a word: this one waits`, {
        seconds: nameSeconds,
        ...(result !== null && { reason: result.message }),
      });
    said = what;
    await pause(pauseMs, undefined, { signal: stopping });
  }
}

/** The conflict that an entry failed with. Throws any other error. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError && error.kind === "conflict") return error;
  throw error;
}

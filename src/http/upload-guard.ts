import { Elysia } from "elysia";
import { createInFlight } from "../domain/limits/in-flight.ts";
import type { AccountId } from "../kernel/ids.ts";
import { limits } from "../kernel/limits.ts";
import type { RequestNotes } from "./request-notes.ts";

/**
 * Stands between the guard of an upload and the reader of its form. It bounds how many uploads an account has under way, from
 * the head of the request to its answer, because their bodies are in memory. `admit` may refuse an upload before its body is
 * read.
 */
export type UploadGuard = ReturnType<typeof createUploadGuard>;

/** Makes the guard that all uploads share. */
export function createUploadGuard({ of }: Pick<RequestNotes, "of">) {
  const enter = createInFlight({
    atOnceMax: limits.uploadsAtOnceMax,
    refusal: `You have ${limits.uploadsAtOnceMax} uploads under way: try again when one of them is done`,
  });

  return (admit: (account: AccountId) => Promise<void> = async () => {}) =>
    new Elysia().onParse({ as: "scoped" }, async ({ request }) => {
      const notes = of(request);
      const { user } = notes;
      if (typeof user !== "number") throw new Error("An upload without an account was not refused");
      notes.holds = enter(String(user));
      await admit(user);
    });
}

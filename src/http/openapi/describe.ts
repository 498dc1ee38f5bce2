import type { TSchema } from "@sinclair/typebox";
import type { ServiceRight } from "../../domain/model/service-token.ts";
import type { AppError } from "../../kernel/errors.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { HeaderExamples, HeaderName } from "./headers.ts";

/**
 * Who may use a route; `services:find` stands for service tokens with the right `find`, `games` for tokens of
 * launchers.
 */
export type Audience =
  | "everybody"
  | "members"
  | "players"
  | "moderators"
  | "administrators"
  | `services:${ServiceRight}`
  | "games"
  | "launchServers";

/** An answer, as far as it follows neither from the route's `response` nor from its ways to fail. */
export type Answer = {
  readonly description?: string;
  /** Headers beside `Cache-Control`, which every answer has. An `ETag` brings the answer 304 with it. */
  readonly headers?: readonly HeaderName[];
  /** Examples of headers that differ from one answer to another. */
  readonly headerExamples?: HeaderExamples;
  /** The body's type, where it is not the JSON of `schema`. */
  readonly type?: "image/png" | "text/html" | "text/event-stream" | "text/csv" | "application/zip";
  readonly schema?: TSchema;
};

/**
 * A route's description beside its schemas. The rest follows: its failures from its audience, its parameters,
 * its body and its method, and its examples from those of the fields.
 */
export type Description = {
  /** Its name in programs that are generated from the document. */
  readonly operationId: string;
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  /** Left out: as the route's guard says. */
  readonly who?: Audience;
  /** Whether the body may be left out. */
  readonly optionalBody?: true;
  /** What it does, in messages: it succeeds with `<action> successfully`. */
  readonly action?: string;
  /** An edit of the home area: its failures are `<action> failed: …` (docs/contract/home.md#edits). */
  readonly isEdit?: true;
  /** `msg` and `url` of the envelope with which it succeeds, as examples. */
  readonly msg?: string;
  readonly url?: string;
  /**
   * Failures that follow from nothing else, or that have a better example here: as the use cases throw them.
   */
  readonly errors?: readonly AppError[];
  /** What else it refuses, for the codes that the document lists. */
  readonly refuses?: readonly Pick<Refusal, "kind" | "code">[];
  readonly answers?: Readonly<Record<number, Answer>>;
  /**
   * The route belongs to a protocol beside the API: its failures are no envelopes, so `answers` has all of
   * them.
   */
  readonly protocol?: true;
};

/**
 * The message of an action that succeeded: `Skin change` → `Skin change successfully`, as the contract has
 * it.
 */
export function succeeded(action: string): string {
  return `${action} successfully`;
}

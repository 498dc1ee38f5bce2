import { PlainError } from "../../kernel/errors.ts";
import { failureJson } from "../failures.ts";
import { givenNumber } from "../fields.ts";
import type { Answer } from "../openapi/describe.ts";
import type { Failure } from "../surface.ts";
import { t } from "../routing/schema.ts";

/**
 * How skin mods read that something failed (UniSkinAPI, "Response for Errors"): CustomSkinLoader takes any
 * `errno` but 0 for "not found".
 */

/** UniSkinAPI's own numbers. Every other failure has its status for a number. */
export const errnos = { otherUuid: 2, unknownPlayer: 3 } as const;

/** A failure with a number of the protocol. */
export class ModError extends PlainError {
  readonly errno: number;

  constructor(code: "invalid" | "not_found", errno: number, message: string) {
    super(code, message);
    this.errno = errno;
  }
}

export function presentModFailure({ status, message, headers, error }: Failure): Response {
  const errno = error instanceof ModError ? error.errno : status;
  return failureJson({ status, headers }, { errno, msg: message });
}

const failureSchema = t.Object(
  {
    errno: givenNumber("2: the UUID is another player's. 3: no such player. Else the status", 3),
    msg: t.String({
      description: "What is wrong, for people to read",
      examples: ["No player has this name"],
    }),
  },
  { component: "ModFailure" },
);

/** A failure in the API's document. */
export function modFailure(description: string): Answer {
  return { description, schema: failureSchema };
}

export const wrongMethod = modFailure("The address takes GET and HEAD only");

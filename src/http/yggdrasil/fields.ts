import { rules } from "../rules.ts";
import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { uuidField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { t } from "../routing/schema.ts";

/** The fields of this protocol's requests. Libraries send null for what they leave out. */

/** What the document says of a field that libraries send null for. */
function orNull({
  description,
  examples: given,
  ...form
}: {
  readonly type: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description: string;
  readonly examples: readonly unknown[];
}) {
  return { anyOf: [form, { type: "null" }], description, examples: given };
}

const filledRule = "must be a text that is not blank";

/** A text that must be there. */
export function filledField(description: string, example: string, field?: string) {
  return t.String({ pattern: "\\S", rule: filledRule, description, examples: [example], field });
}

/** A password may be blanks alone, and is at least one character. */
export const passwordField = t.String({
  minLength: 1,
  rule: filledRule,
  description: "The account's password",
  examples: [examples.password],
});

export const tokenField = filledField("The token of the game session", examples.gameToken);

const clientTokenRule = `must be a text of at most ${limits.clientTokenLengthMax} characters, without NUL`;
const clientTokenForm = {
  type: "string",
  maxLength: limits.clientTokenLengthMax,
  description: "What the launcher calls itself; it comes back as it is",
  examples: ["c1d2e3f4a5b64c7d8e9f0a1b2c3d4e5f"],
};
export const clientTokenField = t.Optional(
  t.Union([t.String({ maxLength: limits.clientTokenLengthMax }), t.Null()], {
    rule: clientTokenRule,
    documented: orNull({ ...clientTokenForm, pattern: "^[^\\0]*$" }),
  }),
);
/** The same in an answer. */
export const givenClientToken = t.String(clientTokenForm);

/**
 * What a launcher calls itself; null where it does not say. Half characters would not come back as they are,
 * and not every database keeps NUL.
 */
export function readClientToken(given: string | null | undefined): string | null {
  if (given === undefined || given === null) return null;
  if (!given.isWellFormed() || given.includes("\0"))
    throw new PlainError("invalid", `clientToken: ${clientTokenRule}`);
  return given;
}

const nameForm = orNull({ type: "string", description: "The player's name", examples: [examples.name] });
/** A player as libraries name one: by id, with the name beside it. */
export const profileField = t.Object(
  {
    id: uuidField("The player's UUID, with or without dashes", examples.user),
    name: t.Optional(t.Union([t.String(), t.Null()], { rule: "must be a text", documented: nameForm })),
  },
  {},
);

export const requestUserField = t.Optional(
  t.Union([t.Boolean(), t.Null()], {
    rule: rules.flag.of(),
    documented: orNull({
      type: "boolean",
      description: "Whether the answer names the account",
      examples: [false],
    }),
  }),
);

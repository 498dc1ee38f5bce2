import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { People, StepResult } from "../../domain/members/cape-owners.ts";
import type { CapeGrant } from "../../domain/ports/texture-store.ts";
import { AppError } from "../../kernel/errors.ts";
import { rowNumberMax } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { envelopeOf } from "../envelope.ts";
import { expiryField, givenNumber, givenText, readUserId } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { parseCapeKey } from "../player-keys.ts";

/** Who may wear a cape (docs/contract/admin.md#owners-of-a-cape). */

export const capeParams = t.Object({
  cape: t.String({
    description: "The cape's UUID or id",
    rule: rules.capeKey.of(),
    shape: "uuidTextOrNumber",
    examples: [examples.cape],
  }),
});

const owner = t.Object(
  {
    id: givenNumber("The number of the grant; the value for `after`", 812),
    user: givenNumber("The user's id", examples.userId),
    name: givenText('The user\'s username; empty before registration is finished: ""', examples.name),
    expires_at: t.Union([Type.Integer(), t.Null()], {
      description: "When the user's right to wear it ends: Unix seconds; null: never",
      examples: [null],
    }),
  },
  { component: "CapeOwner" },
);
/** `GET /api/admin/cape/{cape}/owners`. */
export const capeOwnersEnvelope = envelopeOf(t.Array(owner));

export function presentCapeOwner({
  id,
  accountId,
  name,
  expiresAt,
}: CapeGrant & { readonly id: number }): Static<typeof owner> {
  return { id, user: accountId, name, expires_at: expiresAt };
}

const step = t.Object(
  {
    changed: givenNumber("How many people were given it, or had it taken", limits.ownersChangedMax),
    next: t.Union([Type.Integer(), t.Null()], {
      description: "The value for `after` of the next step; null: this was the last one",
      examples: [1017],
    }),
    owners_count: givenNumber("How many may wear it now", 450),
  },
  { component: "CapeOwnersStep" },
);
/** `POST` and `DELETE /api/admin/cape/{cape}/owners`. */
export const capeOwnersStepEnvelope = envelopeOf(step);

export function presentStep({ changed, next, owners }: StepResult): Static<typeof step> {
  return { changed, next, owners_count: owners };
}

const whoRule = rules.owners.of(limits.ownersChangedMax);
const badPeople = () => new AppError(whoRule, { field: "who" });

const ofOwners = "owners:";

const people = {
  // `readStep` checks it: the framework takes a text, and any object with a length, for a list.
  who: t.Unknown({
    rule: whoRule,
    documented: {
      anyOf: [
        { type: "string", pattern: "^(?:everybody|owners:(?:[1-9][0-9]{0,14}|[0-9a-fA-F-]{32,36}))$" },
        {
          type: "array",
          items: { type: "integer", minimum: 1, maximum: rowNumberMax },
          minItems: 1,
          maxItems: limits.ownersChangedMax,
        },
      ],
      description:
        "These users, by their ids; `owners:` and the UUID or id of another cape, those who hold that one now; or `everybody` with an account: a person who registers later is not concerned",
      examples: [examples.ownerIds],
    },
  }),
  after: t.Optional(
    Type.Integer({
      description: "Where this step begins: the `next` of the step before",
      minimum: 0,
      maximum: rowNumberMax,
      rule: rules.nextStep.of(),
      examples: [0],
    }),
  ),
};

export const takeBody = t.Object(people);
export const giveBody = t.Object({
  ...people,
  expired_at: expiryField("When the right of those who are given it ends"),
});

/** The people that a body names, and where the step begins. Fails with invalid. */
export function readStep({ who, after = 0 }: Static<typeof takeBody>): {
  readonly people: People;
  readonly after: number | null;
} {
  const people = readPeople(who);
  if (people === null) throw badPeople();
  return { people, after: after === 0 ? null : after };
}

function readPeople(who: unknown): People | null {
  if (who === "everybody") return { kind: "everybody" };
  if (Array.isArray(who)) {
    if (who.length === 0 || who.length > limits.ownersChangedMax) return null;
    return { kind: "accounts", accounts: who.map((user: unknown) => readUserId(user, badPeople)) };
  }
  if (typeof who !== "string" || !who.startsWith(ofOwners)) return null;
  const of = parseCapeKey(who.slice(ofOwners.length));
  return of === null ? null : { kind: "owners", of };
}

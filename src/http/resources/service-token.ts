import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import { serviceRights, usualRights } from "../../domain/model/service-token.ts";
import type { ListedToken } from "../../domain/services/tokens.ts";
import { envelopeOf } from "../envelope.ts";
import { givenFlag, givenText, textField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";

/** Tokens of services, as administrators see them (docs/contract/admin.md#service-tokens). */

const [firstRight, ...otherRights] = serviceRights.map((right) => t.Literal(right));
const right = t.Union([firstRight ?? t.Literal("find"), ...otherRights]);

const tokenName = givenText("The service's name; the audit calls it service:<name>", "web-shop");
const instant = (description: string) =>
  t.Union([Type.Integer(), t.Null()], { description, examples: [examples.time] });

const fields = {
  name: tokenName,
  rights: t.Array(right, { description: "What the service may do", examples: [[...usualRights]] }),
  created: instant("Unix seconds; null for the token of SERVICE_API_TOKEN"),
  last_used: instant(
    "Unix seconds, to the minute; null: never. The last use of the token of SERVICE_API_TOKEN is known since the server's start",
  ),
  from_settings: givenFlag(
    "Whether it is the token of SERVICE_API_TOKEN, which only that setting ends",
    false,
  ),
};
const token = t.Object(fields, { component: "ServiceToken" });
const newToken = t.Object(
  { ...fields, token: givenText("Its value, which is shown this once", `crs_${examples.secret}`) },
  { component: "NewServiceToken" },
);

/** `GET /api/admin/tokens`. */
export const tokensEnvelope = envelopeOf(t.Array(token));
/** `POST /api/admin/tokens`. */
export const newTokenEnvelope = envelopeOf(newToken);

export function presentToken({ name, may, createdAt, lastUsedAt }: ListedToken): Static<typeof token> {
  const isSetting = createdAt === null;
  return { name, rights: [...may], created: createdAt, last_used: lastUsedAt, from_settings: isSetting };
}

export const newTokenBody = t.Object({
  name: textField("1 to 32 of a-z 0-9 . _ -, which begin with a letter or a digit", "web-shop", "tokenName"),
  rights: t.Optional(
    t.Array(right, {
      description: `What the service may do: find accounts, give levels (permission), read events, serve launch servers (launcher), grant and revoke capes (cape). Without it: ${usualRights.join(", ")}`,
      rule: rules.someOf.of(serviceRights.join(", ")),
      minItems: 1,
      maxItems: serviceRights.length,
      examples: [[...usualRights]],
    }),
  ),
});

export const tokenParams = t.Object({ name: tokenName });

import type { Static } from "@sinclair/typebox";
import type { Alias } from "../../domain/model/account.ts";
import { envelopeOf } from "../envelope.ts";
import { givenNumber, givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { t } from "../routing/schema.ts";
import { rules } from "../rules.ts";

/** Names by which members sign in as they did before they came here. */

const alias = t.Object(
  {
    name: givenText("It signs in, and names nothing else", "anna_of_old"),
    created: givenNumber("When it was taken over: Unix seconds", examples.time),
  },
  { component: "Alias" },
);
/** `GET /api/home/aliases`. */
export const aliasesEnvelope = envelopeOf(t.Array(alias));

export function presentAlias({ name, createdAt }: Alias): Static<typeof alias> {
  return { name, created: createdAt };
}

/** `DELETE /api/home/aliases/{name}`. */
export const aliasParams = t.Object({
  name: t.String({
    description: "One of the names, in any case",
    rule: rules.text.of(),
    examples: ["anna_of_old"],
  }),
});

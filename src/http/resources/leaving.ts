import { t } from "../routing/schema.ts";
import { envelopeOf } from "../envelope.ts";
import { givenNumber } from "../fields.ts";
import { examples } from "../openapi/examples.ts";

/** The end of one's own account. */

export const deletesAt = givenNumber("When the account is deleted: Unix seconds", examples.time);

/** `POST /api/home/delete` (docs/contract/home.md#deletion). */
export const leavingEnvelope = envelopeOf(t.Object({ deletes_at: deletesAt }, { component: "Leaving" }));

/** What routes of staff and services say of themselves alike, for the API's document. */
import { examples } from "../../openapi/examples.ts";

export const temporaryLevel =
  "With `expired_at` the level holds until then, and the permanent one afterwards; without it, it becomes the permanent one.";

export const unknownUser = `No user is known as ${examples.user}`;

export const lastAdministrator =
  "The last administrator can be neither demoted nor deleted: make somebody else one for good first";

import { t } from "elysia";
import { textField } from "../../fields.ts";

export const bulkMailBody = t.Object({
  subject: t.String({
    description: "1 to 150 characters on one line; the page leaves it empty, which is refused",
    rule: "must be a text",
    // The page fills in the first: what it sends unread must go to nobody.
    examples: ["", "The server moves"],
  }),
  message: textField(
    "1 to 20,000 characters of plain text; a blank line begins another paragraph",
    "Hello,\n\nfrom Friday on you find us at https://play.example.org.\n\nSee you there!",
  ),
});

/** The answer has no envelope (contract, Admin). */
export const bulkMailAnswer = t.Object({
  msg: t.String({ examples: ["Mail sent to all users: 1204 on their way"] }),
});

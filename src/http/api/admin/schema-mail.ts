import { t } from "elysia";
import { textField } from "../../fields.ts";

export const bulkMailBody = t.Object({
  subject: textField("1 to 150 characters on one line", "The server moves", "subject"),
  message: textField(
    "1 to 20,000 characters of plain text; a blank line begins another paragraph",
    "Hello,\n\nfrom Friday on you find us at https://play.example.org.\n\nSee you there!",
    "message",
  ),
});

/** The answer has no envelope (contract, Admin). */
export const bulkMailAnswer = t.Object(
  { msg: t.String({ examples: ["Mail sent to all users: 1204 on their way"] }) },
  { component: "MailsQueued" },
);

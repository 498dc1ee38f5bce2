import { t } from "elysia";
import { textField } from "../../fields.ts";

export const bulkMailBody = t.Object({
  subject: textField("1 to 150 characters on one line"),
  message: textField("1 to 20,000 characters of plain text; a blank line begins another paragraph"),
});

/** The answer has no envelope (contract, Admin). */
export const bulkMailAnswer = t.Object({ msg: t.String() });

import { browserWords } from "../../words/browser.ts";
import { sayRefusal } from "../../words/refusals.ts";
import { readError } from "../api/x-error.ts";
import { showBytes, showDeadline, showNumber, showWait } from "./format.ts";
import { language } from "./language.ts";

const formats = { wait: showWait, size: showBytes, number: showNumber, moment: showDeadline };

/**
 * The refusal of an answer's `X-Error` in the language of the page, with the label of the field that it is
 * about, and `more` that the header lacks. Null where the server's own sentence serves: in English, and for a
 * code of a newer server.
 */
export async function sayInWords(
  header: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const load = browserWords[language.peek()].refusals;
  if (load === null) return null;
  const { code, field, values } = readError(header);
  const { refusals } = await load();
  return sayRefusal(refusals, { code, values: { ...values, ...more, field: labelOf(field) } }, formats);
}

/**
 * The server's own sentence. A field that is part of another one has its label, in place of its path in the
 * API: "Until: must lie in the future".
 */
export function labelled(header: string, sentence: string): string {
  const { field } = readError(header);
  const prefix = `${field}: `;
  return field.includes(".") && sentence.startsWith(prefix)
    ? `${labelOf(field)}: ${sentence.slice(prefix.length)}`
    : sentence;
}

/** As the form that is being sent has it, or that was refused; elsewhere the field's name in the API. */
function labelOf(field: string): string {
  const place = `form[aria-busy=true] [name="${CSS.escape(field)}"], [name="${CSS.escape(field)}"][aria-invalid=true]`;
  return document.querySelector<HTMLInputElement>(place)?.labels?.[0]?.textContent ?? field;
}

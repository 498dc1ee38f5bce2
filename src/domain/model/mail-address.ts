import { refusals } from "./refusals.ts";
import { limits } from "../../kernel/limits.ts";

// One local part and one dotted domain in printable ASCII; quoted local parts, comments and address literals
// are legal in RFC 5321 but serve only tricks here. Each class excludes the character that ends it, so
// matching is linear.
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainLabel = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/;

/**
 * A mail address as its owner wrote it. Fails with invalid, naming the rule (RFC 5321 4.1.2 and 4.5.3.1,
 * without quoting).
 */
export function parseMail(text: string): string {
  const [local = "", domain = "", ...rest] = text.split("@");
  const labels = domain.split(".");
  const ok =
    text.length <= limits.identifierLengthMax &&
    rest.length === 0 &&
    local.length <= 64 &&
    localPart.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => domainLabel.test(label));
  if (!ok) throw refusals.badMail();
  return text;
}

/**
 * The form in which addresses are compared: whole in lower case, since no mail server in use tells cases
 * apart.
 */
export function mailKey(mail: string): string {
  return mail.toLowerCase();
}

import { availableParallelism } from "node:os";
import { normalisePassword } from "../../domain/model/password.ts";
import { refusals } from "../../domain/model/refusals.ts";
import type { PasswordForms, ReadPassword } from "../../domain/ports/password-forms.ts";
import type { PasswordHasher } from "../../domain/ports/password-hasher.ts";
import { createSemaphore } from "../../kernel/semaphore.ts";
import { digestShape, encodeSalt } from "./digest-kinds.ts";
import { kindNames, kindOf, nameOf } from "./hash-kinds.ts";
import { isWithinBounds } from "./import-bounds.ts";
import { kindNamed, type NamedKind } from "./kind-names.ts";
import { readForm, type Apart, type Form } from "./other-forms.ts";

/** Longer texts are no hash of any kind. */
const textLengthMax = 2048;

/** Kinds of digests whose form elsewhere shows them; without it they are salted as others are. */
const shownElsewhere: ReadonlySet<string> = new Set(["authme-sha256", "md5vb", "joomla"]);

/** Far more than a page of an import. */
const waitingMax = 100_000;

type Given = Parameters<PasswordForms["read"]>[0];

/**
 * Reads passwords of other systems. The form of the text decides, then the named kind; kinds of equal form
 * are never guessed. What would take longer to verify than `import-bounds.ts` allows is not taken.
 */
export function createPasswordForms(hasher: Pick<PasswordHasher, "hash">): PasswordForms {
  // Hashes that come all at once would be too many for the queue, which refuses them.
  const inTurn = createSemaphore({
    atOnceMax: availableParallelism(),
    waitingMax,
    refusal: () => refusals.passwordsBusy(),
  });
  return {
    kinds: kindNames,
    nameOf,
    read: async ({ kind: name, ...given }) => {
      const named = name === null ? null : kindNamed(name, kindNames);
      if (named?.kind === "plain") return inTurn(() => hashAtOnce(hasher, given.text));
      const form = formOf(given, name, named);
      if ("asks" in form || "problem" in form) return form;
      return checked(form.hash);
    },
  };
}

/** The password itself: the only time that it is read. */
async function hashAtOnce(hasher: Pick<PasswordHasher, "hash">, text: string): Promise<ReadPassword> {
  const password = normalisePassword(text);
  if (password === null) return { problem: "It is empty or too long" };
  const hash = await hasher.hash(password);
  return { hash, kind: nameOf(hash) };
}

function checked(hash: string): ReadPassword {
  const effort = kindOf(hash);
  if (effort === null) return { problem: "It cannot be verified, or that would take too long" };
  if (!isWithinBounds(effort)) return { problem: "Verifying it would take too long" };
  return { hash, kind: nameOf(hash) };
}

type Found = Form | { readonly asks: string };

function formOf(given: Omit<Given, "kind">, name: string | null, named: NamedKind | null): Found {
  const { text } = given;
  if (text === "") return { problem: "It is empty" };
  if (text.length > textLengthMax) return { problem: "It is too long for a hash" };
  // Our own form, of an export or a list.
  if (!/^\$(?:2|argon2)/.test(text) && kindOf(text) !== null) return { hash: text };
  const shown = readForm(text, given);
  if (shown !== null && named?.isDisguised !== true) return shown;
  if (name === null) return byDigits(given);
  if (named === null) return { problem: `The kind ${nameShown(name)}is not known` };
  if (named.kind === null) return { problem: `Hashes of the kind ${nameShown(name)}cannot be verified here` };
  return byKind(named.kind, given, named.isNumber);
}

/** A kind's name may be any text of a file; a hash in the wrong column is not shown. */
function nameShown(name: string): string {
  return /^[\w .-]{1,24}$/.test(name) ? `${JSON.stringify(name)} ` : "";
}

/** Of hexadecimal digits alone their number shows which kinds it may be: more than one. */
function byDigits({ text, salt }: Pick<Given, "text" | "salt">): Found {
  const kinds = kindNames.filter((name) => {
    const shape = digestShape(name);
    if (shape === null || shape.digits !== text.length || shownElsewhere.has(name)) return false;
    return salt === null || shape.isSalted;
  });
  if (!/^[0-9a-f]+$/i.test(text) || kinds.length === 0) return { problem: "It is no hash of a known form" };
  const names = kinds.join(", ");
  return {
    asks: `Hashes of several kinds look like this one: --password-kind names the right one of ${names}`,
  };
}

function byKind(kind: string, { text, salt, login }: Pick<Given, "text"> & Apart, isNumber: boolean): Found {
  if (kind === "scrypt") return byScrypt(text, salt);
  const shape = digestShape(kind);
  if (shape === null) return { problem: `It is no hash of the kind ${kind}` };
  const digest = (isNumber ? text.padStart(shape.digits, "0") : text).toLowerCase();
  if (digest.length !== shape.digits) return { problem: `It is no hash of the kind ${kind}` };
  if (!shape.isSalted) return { hash: `$${kind}$${digest}` };
  const given = kind === "smf" ? login : salt;
  if (given === null || given === "")
    return { problem: kind === "smf" ? "Its name is missing" : "Its salt is missing" };
  return { hash: `$${kind}$${encodeSalt(given)}$${digest}` };
}

/** As drasl keeps it: 32 bytes, and a salt apart; both in hexadecimal digits. */
function byScrypt(text: string, salt: string | null): Found {
  const bytes = /^(?:[0-9a-f]{2}){16,64}$/i;
  if (!bytes.test(text) || salt === null || !/^(?:[0-9a-f]{2}){4,64}$/i.test(salt))
    return { problem: "It is no hash of the kind scrypt" };
  const [key, saltText] = [text, salt].map((hex) => Uint8Array.fromHex(hex).toBase64({ omitPadding: true }));
  return { hash: `$scrypt$ln=15,r=8,p=1$${saltText}$${key}` };
}

import type { components } from "../../api/types.ts";
import { words } from "../../words/staff-pages.ts";

/** What entries of the audit say, in the language of the page. */

export type AuditEntry = components["schemas"]["AuditEntry"];
export type Person = NonNullable<AuditEntry["by"]>;
export type Detail = Readonly<Record<string, unknown>>;

type Known = keyof typeof words.value.staff.actions;

/** The words of an action; null for an action of another release. */
export function wordsOf(action: string): { readonly name: string; readonly text: string } | null {
  const { actions } = words.value.staff;
  return Object.hasOwn(actions, action) ? actions[action as Known] : null;
}

/** All actions, by their names in this language. */
export function actionNames(): readonly { readonly value: string; readonly text: string }[] {
  return Object.entries(words.value.staff.actions)
    .map(([value, { name }]) => ({ value, text: name }))
    .toSorted((one, other) => one.text.localeCompare(other.text));
}

/** The name of an actor that is no user: the command line, the server, a service. */
export function actorName(iss: string): string {
  const { staff } = words.value;
  if (iss.startsWith(servicePrefix)) return staff.service(iss.slice(servicePrefix.length));
  return Object.hasOwn(staff.actors, iss) ? staff.actors[iss as keyof typeof staff.actors] : iss;
}

const servicePrefix = "service:";

/** What a person is called; a deleted one is named as such. */
export function personName({ id, name, deleted }: Person): string {
  const { admin, staff } = words.value;
  if (!deleted) return name || admin.userNumber(id);
  return name === "" ? staff.deletedNumber(id) : staff.deleted(name);
}

/**
 * Fields with another meaning in entries of one noun. Elsewhere they are an address, and the hash of a file.
 */
const meanings: Readonly<Record<string, string>> = { "mail mail": "mail_number", "key sha256": "key_sha256" };

/** The label of a field of an entry; a field of another release keeps its own name. */
export function fieldName(field: string, action: string): string {
  const { staff } = words.value;
  const [noun = ""] = action.split(".");
  const name = meanings[`${noun} ${field}`] ?? field.toLowerCase();
  return Object.hasOwn(staff.fields, name) ? staff.fields[name as keyof typeof staff.fields] : field;
}

/** The fields of a value of an entry; none if the value is not an object. */
export function fieldsOf(value: unknown): Detail {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  return value === undefined || value === null ? {} : { "": value };
}

/** The changed thing as the sentence of an entry names it, and its page if it has one. */
export function thingOf({ action, detail }: AuditEntry): {
  readonly name: string;
  readonly href: string | null;
} {
  const { old, new: now, ...others } = detail as Detail;
  const [before, after] = [fieldsOf(old), fieldsOf(now)];
  const candidates = [after, others, before].flatMap((one) => [
    one["name"],
    one["username"],
    one["subject"],
    one["to"],
  ]);
  const name = candidates.find((one): one is string => typeof one === "string" && one !== "") ?? "–";
  return { name, href: pageOf(action, { name, uuid: others["uuid"] ?? others["capeid"] }) };
}

function pageOf(
  action: string,
  { name, uuid }: { readonly name: string; readonly uuid: unknown },
): string | null {
  if (action === "player.create") return `/u/${encodeURIComponent(name)}`;
  if (typeof uuid !== "string") return null;
  if (action === "skin.upload" || action === "skin.update") return `/admin/skins?q=${uuid}`;
  return action === "cape.upload" ? `/admin/capes?q=${uuid}` : null;
}

/** The names of the fields that an entry changed. */
export function changedFields({ action, detail }: AuditEntry): readonly string[] {
  const { old, new: now } = detail as Detail;
  const names = new Set([...Object.keys(fieldsOf(old)), ...Object.keys(fieldsOf(now))]);
  return [...new Set([...names].map((name) => fieldName(name, action)))];
}

import { showMoment } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { actorName, fieldName, wordsOf } from "./audit-words.ts";
import { levelName } from "./people.tsx";

/** What the values of entries of the audit say, in the language of the page. */

const levels: ReadonlySet<string> = new Set(["perms", "perms_permanent"]);
const times: ReadonlySet<string> = new Set([
  "perms_expires_at",
  "expired_at",
  "expires_at",
  "expires",
  "last_used",
  "time",
  "Expires_at",
  "since",
  "until",
]);

/** The value of a field of an entry with this action. */
export function valueText(name: string, value: unknown, action: string): string {
  const { admin, staff } = words.value;
  if (value === null || value === undefined || value === "") return admin.none;
  if (typeof value === "boolean") return value ? staff.yes : staff.no;
  if (typeof value === "number" && levels.has(name)) return levelName(value);
  if (typeof value === "number" && times.has(name)) return showMoment(value);
  if (typeof value === "string") return wordOf(name, value);
  if (Array.isArray(value)) return value.map((one) => valueText(name, one, action)).join(", ") || admin.none;
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([field, one]) => `${fieldName(field, action)} ${valueText(field, one, action)}`,
  );
  return fields.join(" · ");
}

/** A text that the program writes, in words; any other as it is. */
function wordOf(name: string, value: string): string {
  const { account, admin, records, staff } = words.value;
  if (name === "iss" || name === "issuer") return actorName(value);
  if (name === "action") return wordsOf(value)?.name ?? value;
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    may: records.rightNames,
    kind: { web: account.web, game: account.game },
    owners_of: { everybody: admin.all },
    shares_skin: { true: staff.yes, false: staff.no },
    cloakid: { none: admin.none },
    mail: { all: admin.all },
  };
  return texts[name]?.[value] ?? value;
}

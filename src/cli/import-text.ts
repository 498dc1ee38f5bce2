/** A plan as people read it. */
import type { AppliedImport } from "../domain/import/apply.ts";
import type { Decided } from "../domain/model/import-plan.ts";
import type { DecidedGroup } from "../domain/ports/plan-book.ts";
import type { ShownPlan } from "../operate/import/plan-import.ts";
import { sizeText } from "../kernel/size-text.ts";
import { countText, printable, tableText } from "./output.ts";

/** Longer names and keys of other systems are cut. */
const textLengthMax = 80;

/** Staff that the text names; the report names all. */
const staffShownMax = 50;

/** The plan: a line for each kind and decision, passwords, textures, then what people should look at. */
export function planText({ summary, groups }: ShownPlan): string {
  const { source, system, planned, hashes, textures } = summary;
  const rows = Object.entries(planned).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([decision, count]) => [kind, decision, String(count)]),
  );
  const kinds = Object.entries(hashes).map(([kind, count]) => `${kind} ${count}`);
  const hasTextures = textures.files + textures.skipped > 0;
  const left = textures.skipped === 0 ? "" : `, ${textures.skipped} left out`;
  return [
    `source: ${system}, kept as ${shortText(source)}\n`,
    rows.length === 0 ? "there is nothing in it\n" : tableText(["KIND", "DECISION", "COUNT"], rows),
    ...(kinds.length === 0 ? [] : [`passwords: ${kinds.join(", ")}\n`]),
    ...(hasTextures
      ? [`textures: ${countText(textures.files, "file")}, ${sizeText(textures.bytes)}${left}\n`]
      : []),
    ...sections(groups),
    ...forOperator(summary),
  ].join("");
}

/** What a dry run ends with: what to do next. */
export function dryText({ asks }: ShownPlan["summary"]): string {
  const next = asks > 0 ? "give the rules, and plan again" : "the same command without --dry-run imports";
  return `\nnothing was written; ${next}\n`;
}

/** What came over. */
export function appliedText({ state, counts }: AppliedImport): string {
  const { account, player, skin, cape } = counts;
  const what = [
    countText(account, "account"),
    countText(player, "player"),
    countText(skin, "skin"),
    countText(cape, "cape"),
  ].join(", ");
  return `${state === "done" ? "imported" : "imported so far"}: ${what}\n`;
}

const shownDecisions: readonly (readonly [Decided["decision"], string])[] = [
  ["rename", "renamed"],
  ["merge", "joined, or brought up to date"],
  ["skip", "left out"],
  ["keep", "kept as it is here"],
  ["ask", "to be settled before anything can be applied"],
];

function sections(groups: readonly DecidedGroup[]): readonly string[] {
  const noted = groups.filter(({ decision, reason }) => decision === "create" && reason !== "");
  return [
    ...shownDecisions.flatMap(([decision, title]) =>
      section(
        title,
        groups.filter((group) => group.decision === decision),
      ),
    ),
    ...section("comes otherwise than it was there", noted),
  ];
}

function section(title: string, groups: readonly DecidedGroup[]): readonly string[] {
  if (groups.length === 0) return [];
  return [
    `\n${title}:\n`,
    ...groups.flatMap(({ kind, reason, count, first }) => [
      `  ${countText(count, kind, manyOf(kind))}${reason === "" ? "" : `: ${printable(reason)}`}\n`,
      ...first.map((row) => `    ${rowText(row)}\n`),
      ...(count > first.length ? [`    … and ${count - first.length} more\n`] : []),
    ]),
  ];
}

function manyOf(kind: Decided["kind"]): string {
  return kind === "identity" ? "identities" : `${kind}s`;
}

function rowText({ source, from, to }: Decided): string {
  const name = from === null ? "" : ` ${shortText(from)}`;
  return `${shortText(source)}${name}${to === null || to === from ? "" : ` -> ${shortText(to)}`}`;
}

function shortText(text: string): string {
  const shown = text.length > textLengthMax ? `${text.slice(0, textLengthMax)}…` : text;
  return printable(shown.toWellFormed());
}

function forOperator({ to_claim: toClaim, staff, notes }: ShownPlan["summary"]): readonly string[] {
  const names = staff.names.slice(0, staffShownMax).map(shortText).join(", ");
  const more = staff.count > staffShownMax ? ` and ${staff.count - staffShownMax} more` : "";
  const lines = [
    ...(toClaim === 0
      ? []
      : [
          `${countText(toClaim, "account has", "accounts have")} neither a mail address nor a password: --claims FILE writes a code for each`,
        ]),
    ...(staff.count === 0 ? [] : [`staff there: ${names}${more}`]),
    ...notes.map(shortNote),
  ];
  return lines.length === 0 ? [] : ["\nfor you to know:\n", ...lines.map((line) => `  ${line}\n`)];
}

function shortNote(note: string): string {
  return printable(note.slice(0, 1000).toWellFormed());
}

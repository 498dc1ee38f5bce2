import type { PlannedImport } from "../ports/planned-import.ts";
import { matchLooks, matchPeople } from "./match-records.ts";
import { planAccounts, type AccountCounts } from "./plan-accounts.ts";
import { planAliases } from "./plan-aliases.ts";
import { planLooks } from "./plan-looks.ts";
import { planMails } from "./plan-mails.ts";
import { planNames } from "./plan-names.ts";
import { planTextures } from "./plan-textures.ts";
import { planUuids } from "./plan-uuids.ts";
import type { Planning } from "./planning.ts";
import { readRecords, readUnkept } from "./read-records.ts";

/** A finished plan. What was decided of each record is in the book. */
export type MadePlan = {
  readonly planned: PlannedImport;
  readonly accounts: AccountCounts;
  readonly texturesSkipped: number;
};

/**
 * Decides of every record of a source what becomes of it here, and writes nothing but the book. The source is
 * read once; afterwards the book has everything that comes, textures and all.
 */
export async function planImport(planning: Planning): Promise<MadePlan> {
  await readRecords(planning);
  await matchPeople(planning);
  await planMails(planning);
  await planNames(planning);
  await planUuids(planning);
  await planAliases(planning);
  await planLooks(planning);
  await matchLooks(planning);
  const { skipped } = await planTextures(planning);
  const accounts = await planAccounts(planning);
  await readUnkept(planning);
  return { planned: planning.book.planned, accounts, texturesSkipped: skipped };
}

import type { ImportSource } from "../../domain/ports/import-source.ts";
import { givenZone, type TimeZone } from "./cells.ts";
import type { SourceTools } from "./database.ts";
import { openGivenDatabase, refuseH2, type SourceGiven } from "./given.ts";
import { type Cells, momentOf, openSignInTable, passwordOf, type SignInRow } from "./sign-in-table.ts";

/** Opens LimboAuth. Fails with a sentence that names cause and cure. */
export async function openLimboAuth(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  refuseH2(given);
  const zone = givenZone(given.timeZone);
  return await openSignInTable(await openGivenDatabase(given, tools), {
    system: "limboauth",
    table: given.table ?? "AUTH",
    needs: ["NICKNAME", "HASH"],
    wants: ["LOWERCASENICKNAME", "REGDATE", "LOGINDATE", "UUID", "PREMIUMUUID", "TOTPTOKEN"],
    keys: ["LOWERCASENICKNAME", "NICKNAME"],
    hint: "start LimboAuth 1.1 or newer once, or name the table as --table",
    read: (cells) => readRow(cells, zone),
    uuidRule: "offline",
    notes: [],
    looks: null,
  });
}

function readRow(cells: Cells, zone: TimeZone): SignInRow {
  const lowerCase = cells("LOWERCASENICKNAME");
  const name = cells("NICKNAME") ?? lowerCase;
  return {
    id: lowerCase ?? name ?? "",
    name,
    mail: null,
    // What it took over from JPremium lacks the first sign.
    password: passwordOf(cells("HASH")?.replace(/^SHA\$/i, "$SHA$") ?? null),
    uuid: cells("UUID") ?? cells("PREMIUMUUID"),
    hasFactor: cells("TOTPTOKEN") !== null,
    createdAt: momentOf(cells("REGDATE"), zone),
    lastSeenAt: momentOf(cells("LOGINDATE"), zone),
  };
}

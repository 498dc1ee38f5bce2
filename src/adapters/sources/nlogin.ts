import type { ImportSource } from "../../domain/ports/import-source.ts";
import { givenZone, type TimeZone } from "./cells.ts";
import type { SourceTools } from "./database.ts";
import { openGivenDatabase, type SourceGiven } from "./given.ts";
import { type Cells, momentOf, openSignInTable, passwordOf, type SignInRow } from "./sign-in-table.ts";

/** Opens nLogin. Fails with a sentence that names cause and cure. */
export async function openNLogin(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  const zone = givenZone(given.timeZone);
  return await openSignInTable(await openGivenDatabase(given, tools), {
    system: "nlogin",
    table: given.table ?? "nlogin",
    needs: ["last_name", "password"],
    wants: ["ai", "unique_id", "mojang_id", "last_seen", "last_login", "creation_date", "email"],
    keys: ["ai", "last_name"],
    hint: "if nLogin's config.yml names another table, give it as --table",
    read: (cells) => readRow(cells, zone),
    uuidRule: null,
    notes: [],
    looks: null,
  });
}

function readRow(cells: Cells, zone: TimeZone): SignInRow {
  const name = cells("last_name");
  return {
    id: cells("ai") ?? name ?? cells("unique_id") ?? cells("mojang_id") ?? "",
    name,
    mail: cells("email"),
    password: passwordOf(inPresentForm(cells("password"))),
    uuid: cells("unique_id") ?? cells("mojang_id"),
    hasFactor: false,
    createdAt: momentOf(cells("creation_date"), zone),
    lastSeenAt: momentOf(cells("last_seen") ?? cells("last_login"), zone),
  };
}

/**
 * Its older versions have `@` before the salt, and what it took over from AuthMe ends with `$AUTHME`.
 */
function inPresentForm(text: string | null): string | null {
  if (text === null) return null;
  return text.replace(/^(\$SHA(?:256|512)\$[0-9a-f]+)@/i, "$1$").replace(/\$AUTHME$/i, "");
}

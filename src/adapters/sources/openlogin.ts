import type { ImportSource } from "../../domain/ports/import-source.ts";
import { givenZone, type TimeZone } from "./cells.ts";
import type { SourceTools } from "./database.ts";
import { openGivenDatabase, type SourceGiven } from "./given.ts";
import { type Cells, momentOf, openSignInTable, passwordOf, type SignInRow } from "./sign-in-table.ts";

/** Opens OpenLogin. Fails with a sentence that names cause and cure. */
export async function openOpenLogin(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  const zone = givenZone(given.timeZone);
  return await openSignInTable(await openGivenDatabase(given, tools), {
    system: "openlogin",
    table: given.table ?? "openlogin",
    needs: ["name", "password"],
    wants: ["realname", "uuid", "lastlogin", "regdate"],
    // Nothing in its table is unique. Of two rows with one name it uses the first, and so does the plan.
    keys: ["name"],
    hint: "its file is plugins/OpeNLogin/accounts.db",
    read: (cells) => readRow(cells, zone),
    uuidRule: "offline",
    notes: [],
    looks: null,
  });
}

function readRow(cells: Cells, zone: TimeZone): SignInRow {
  const name = cells("name");
  return {
    id: name ?? cells("realname") ?? "",
    name: cells("realname") ?? name,
    mail: null,
    password: passwordOf(cells("password")),
    uuid: cells("uuid"),
    hasFactor: false,
    createdAt: momentOf(cells("regdate"), zone),
    lastSeenAt: momentOf(cells("lastlogin"), zone),
  };
}

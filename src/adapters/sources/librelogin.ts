import type { ImportSource } from "../../domain/ports/import-source.ts";
import { givenZone, type TimeZone } from "./cells.ts";
import type { SourceTools } from "./database.ts";
import { openGivenDatabase, type SourceGiven } from "./given.ts";
import { type Cells, momentOf, openSignInTable, passwordOf, type SignInRow } from "./sign-in-table.ts";

/** Opens LibreLogin. Fails with a sentence that names cause and cure. */
export async function openLibreLogin(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  const written = givenZone(given.timeZone);
  const database = await openGivenDatabase(given, tools);
  // MySQL knows the moment of a TIMESTAMP and shows it in UTC. Others show what was written.
  const zone = database.engine === "mysql" ? givenZone("UTC") : written;
  return await openSignInTable(database, {
    system: "librelogin",
    table: given.table ?? "librepremium_data",
    needs: ["uuid", "last_nickname", "hashed_password"],
    wants: ["salt", "algo", "joined", "last_seen", "secret", "email"],
    keys: ["uuid"],
    hint: "start LibreLogin 0.20 or newer once, or name the table as --table",
    read: (cells) => readRow(cells, zone),
    uuidRule: null,
    notes: [],
    looks: null,
  });
}

function readRow(cells: Cells, zone: TimeZone): SignInRow {
  return {
    id: cells("uuid") ?? "",
    name: cells("last_nickname"),
    mail: cells("email"),
    password: passwordOf(cells("hashed_password"), cells("algo"), cells("salt")),
    // The one that players have in the game; `premium_uuid` is the one at Mojang.
    uuid: cells("uuid"),
    hasFactor: cells("secret") !== null,
    createdAt: momentOf(cells("joined"), zone),
    lastSeenAt: momentOf(cells("last_seen"), zone),
  };
}

import type { ImportSource } from "../../domain/ports/import-source.ts";
import { isFactorAlone, authMePassword } from "./authme-passwords.ts";
import { authMeDefaults, type AuthMeSettings, readAuthMeSettings } from "./authme-settings.ts";
import { givenZone, type TimeZone } from "./cells.ts";
import type { SourceTools } from "./database.ts";
import { openGivenDatabase, type SourceGiven } from "./given.ts";
import { type Cells, momentOf, openSignInTable, type SignInRow } from "./sign-in-table.ts";

/**
 * Opens AuthMe 5 or 6: the table that its `config.yml` (`--env`) names, else `authme`. Fails with a sentence
 * that names cause and cure.
 */
export async function openAuthMe(given: SourceGiven, tools: SourceTools): Promise<ImportSource> {
  const settings = given.env === null ? authMeDefaults : await readAuthMeSettings(given.env);
  const zone = givenZone(given.timeZone);
  const { id, name, realName, password, ...others } = settings.columns;
  return await openSignInTable(await openGivenDatabase(given, tools), {
    system: "authme",
    table: given.table ?? settings.table,
    needs: [name, password],
    wants: [id, realName, ...Object.values(others).filter((column) => column !== null)],
    keys: [id, name],
    hint: "if AuthMe's config.yml names other tables or columns, give it as --env",
    read: (cells) => readRow(cells, settings, zone),
    // It knows players by their names alone, on a server without authentication.
    uuidRule: "offline",
    notes: [],
    looks: null,
  });
}

/** What AuthMe writes where no address was given, and where it does not know how a name is spelled. */
const noMail = "your@email.com";
const noRealName = "Player";

function readRow(cells: Cells, { columns, algorithms }: AuthMeSettings, zone: TimeZone): SignInRow {
  const realName = cells(columns.realName);
  const name = realName === null || realName === noRealName ? cells(columns.name) : realName;
  const mail = cells(columns.mail);
  return {
    id: cells(columns.id) ?? cells(columns.name) ?? "",
    name,
    mail: mail?.toLowerCase() === noMail ? null : mail,
    password: authMePassword(cells(columns.password), cells(columns.salt), algorithms),
    uuid: cells(columns.premiumUuid) ?? cells(columns.uuid),
    hasFactor: cells(columns.factor) !== null || isFactorAlone(cells(columns.password), algorithms),
    createdAt: momentOf(cells(columns.registered), zone),
    lastSeenAt: momentOf(cells(columns.lastLogin), zone),
  };
}

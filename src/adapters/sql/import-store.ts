import { eq, getTableColumns, sql } from "drizzle-orm";
import { mailKey } from "../../domain/model/mail-address.ts";
import type { NewAccount, PlannedCape } from "../../domain/model/import-plan.ts";
import type { ImportBatch, ImportStore } from "../../domain/ports/import-store.ts";
import { newUuid, type CapeId, type Uuid } from "../../kernel/ids.ts";
import { importAccounts } from "./import-accounts.ts";
import { linkRows, type LinkedRow } from "./import-links.ts";
import { importReads } from "./import-reads.ts";
import { importRunStore } from "./import-runs.ts";
import { insertionOfMany, valuesOf } from "./many-rows.ts";
import { accounts, capes, textures } from "./schema/member.ts";
import type { Sender } from "./sender.ts";
import { build, cellsIn, command, statement } from "./statement.ts";
import type { Touch } from "./touch.ts";

const textureColumns = getTableColumns(textures);
const putTextures = statement(
  sql`${insertionOfMany(textures, textureColumns)} ON CONFLICT (hash) DO NOTHING RETURNING hash`,
  { hash: textures.hash },
);
const { id: _, ...capeColumns } = getTableColumns(capes);
const putCapes = statement(sql`${insertionOfMany(capes, capeColumns)} RETURNING id, uuid`, {
  id: capes.id,
  uuid: capes.uuid,
});
/** What an import writes. It reports counts, texts of searches and subjects of delivery, and no events. */
export function importStore(db: Sender, touch: Touch): ImportStore {
  const updateAccount: ImportStore["updateAccount"] = async (id, change) => {
    const cells = cellsIn(accounts, cellsOf(change));
    if (Object.keys(cells).length === 0) return;
    await command(build.update(accounts).set(cells).where(eq(accounts.id, id)))(db);
    if (change.mail !== undefined) touch.foundAnew(id);
  };
  return {
    ...importReads(db),
    ...importRunStore(db),
    putTextures: async (rows, now) => {
      if (rows.length === 0) return new Set();
      const given = rows.map((row) => ({ ...row, createdAt: now }));
      const added = await putTextures(db, valuesOf(db, textureColumns, given));
      return new Set(added.map(({ hash }) => hash));
    },
    putCapes: (batch) => addCapes(db, touch, batch),
    putAccounts: importAccounts(db, { touch, updateAccount }),
    updateAccount,
    announceImported: async (players) => touch.event("community.imported", { players }),
  };
}

async function addCapes(
  db: Sender,
  touch: Touch,
  { source, rows }: ImportBatch<PlannedCape>,
): Promise<readonly CapeId[]> {
  if (rows.length === 0) return [];
  const given = rows.map((cape) => ({ ...cape, uuid: cape.own?.uuid ?? newUuid() }));
  const cells = given.map(({ uuid, texture, wings, name, createdAt, own }) => ({
    uuid,
    textureHash: texture,
    name,
    uploadedBy: own?.uploadedBy ?? `import:${source}`,
    createdAt,
    wingsHash: wings,
    wingsSought: true,
  }));
  const added = await putCapes(db, valuesOf(db, capeColumns, cells));
  const ids = new Map<Uuid, CapeId>(added.map(({ uuid, id }) => [uuid, id]));
  const links: LinkedRow[] = [];
  for (const { uuid, name, key, also } of given) {
    const id = ids.get(uuid);
    if (id === undefined) throw new Error("An inserted cape has no number");
    touch.note(`cape:${uuid}`);
    touch.found("cape", id, [name]);
    for (const one of [key, ...also]) links.push({ kind: "cape", key: one, id });
  }
  touch.count("capes", given.length);
  await linkRows(db, source, links);
  return [...ids.values()];
}

/** What changes of an account that is here. Its uuid and the time of its making stay. */
function cellsOf({
  mail,
  mailVerified,
  passwordHash,
  level,
  language,
  lastSeenAt,
  playersMax,
}: Partial<NewAccount>): Partial<typeof accounts.$inferInsert> {
  const cells = { mail, mailVerified, passwordHash, permanentLevel: level, language, lastSeenAt, playersMax };
  const given = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== undefined));
  return mail === undefined ? given : { ...given, mailKey: mail === null ? null : mailKey(mail) };
}

import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { newUuid, type AccountId, type CapeId, type Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { refusals } from "../model/refusals.ts";
import { parseTextureName, type Cape } from "../model/texture.ts";
import type { TextureImporter } from "../ports/pictures.ts";
import type {
  CapeGrant,
  CapeKey,
  Part,
  TextureLists,
  TextureReads,
  TextureStore,
} from "../ports/texture-store.ts";
import type { Actor, Tx } from "../ports/unit-of-work.ts";
import { dropFiles, releaseTextures, withTextures, type TextureDeps } from "./files.ts";

type Input = {
  readonly file: Uint8Array;
  readonly name: string;
  /** An account that is listed twice is one owner. */
  readonly owners: readonly AccountId[];
  /** Until when its owners may wear it, in Unix seconds; null: without end. */
  readonly expiresAt: number | null;
};

/** A cape with the accounts that may wear it, and until when. */
export type OwnedCape = {
  readonly cape: Cape;
  readonly owners: readonly AccountId[];
  readonly expiresAt: number | null;
};

/**
 * Makes a cape and grants it to its owners. Administrators may. Writes audit. Fails as the import does, with
 * invalid for a bad name and for unknown owners, when nothing is stored, and with no_space.
 */
export async function addCape(
  deps: TextureDeps & { readonly importer: TextureImporter },
  actor: Actor,
  input: Input,
): Promise<OwnedCape> {
  const name = parseTextureName(input.name);
  const incoming = await deps.importer.cape(input.file, actor.name);
  const owners = [...new Set(input.owners)];
  const { expiresAt } = input;
  const { texture, wings } = incoming;
  const wingsHash = wings?.texture.hash ?? null;

  return withTextures(deps, actor, wings === null ? [incoming] : [incoming, wings], async (tx) => {
    refuseUnknown("owners", "user", await tx.accounts.listUnknown(owners));
    const row = { uuid: newUuid(), name, wingsHash, uploadedBy: tx.actor.name, createdAt: tx.now };
    const id = await tx.textures.insertCape({ ...row, textureHash: texture.hash });
    await tx.textures.grantCapes({ accounts: owners, capes: [id], grantedAt: tx.now, expiresAt });
    const end = expiresAt === null ? {} : { expired_at: expiresAt };
    const detail = { capeid: row.uuid, name, owners, sha256: texture.digest, ...end };
    tx.audit("cape.upload", null, detail);
    const cape = await tx.textures.findCape({ by: "id", value: id });
    if (cape === null) throw new Error("An inserted cape is missing");
    return { cape, owners, expiresAt };
  });
}

/**
 * Removes a cape with its grants, and takes it off every skin. Its files, that of its wings too, go when
 * nothing else refers to them. Administrators may. Writes audit. Fails with not_found.
 */
export async function deleteCape(deps: TextureDeps, actor: Actor, uuid: Uuid): Promise<Cape> {
  const { cape, freed } = await deps.transact(actor, async (tx) => {
    const { textures, audit } = tx;
    const found = await textures.findCape({ by: "uuid", value: uuid });
    if (found === null) throw refusals.unknownCape(uuid);
    const { id, texture, wingsHash } = found;
    const owners = await textures.countOwners(id);
    await textures.deleteCape(id);
    const old = { ...capeFacts(found), sha256: texture.digest, owners_count: owners };
    audit("cape.delete", null, { old });
    const hashes = wingsHash === null ? [texture.hash] : [texture.hash, wingsHash];
    return { cape: found, freed: await releaseTextures(deps, tx, hashes) };
  });
  await dropFiles(deps, freed);
  return cape;
}

/** What the audit stores of a cape that there was before. */
export function capeFacts({ uuid, id, name }: Pick<Cape, "uuid" | "id" | "name">) {
  return { capeid: uuid, id, name };
}

/*
 * An account may wear the capes that it was granted, each until its grant ends. A skin's cape is always one
 * that the skin's owner was granted: a cape is linked only after `findPermittedCape`, a grant is removed only
 * by `revokeCapes`, and deleting a cape or an account removes both.
 */

/** The cape, when the account may wear it now. Fails with invalid. */
export async function findPermittedCape(
  { textures, now }: Tx,
  account: AccountId,
  uuid: Uuid,
): Promise<CapeId> {
  const granted = await textures.listGrantedCapes(account, now);
  const found = granted.find((cape) => cape.uuid === uuid);
  if (found === undefined) throw refusals.capeNotGranted(uuid);
  return found.id;
}

/**
 * Within a transaction: removes the accounts' grants of these capes, and takes the capes off their skins and
 * players.
 */
export async function revokeCapes(
  textures: TextureStore,
  accounts: readonly AccountId[],
  capes: readonly CapeId[],
): Promise<void> {
  if (accounts.length === 0 || capes.length === 0) return;
  await textures.deleteGrants(accounts, capes);
  await textures.unlinkCapes(accounts, capes);
}

/** A cape with some of its grants, the first `limits.ownersShownMax` of them, and how many there are. */
export type ListedCape = {
  readonly cape: Cape;
  readonly grants: readonly CapeGrant[];
  readonly count: number;
};

/** Capes whose grants are read before it yields to the event loop, some 10 ms. */
const readAtOnce = 4;

/**
 * The capes with their grants. Yields to the event loop: a thousand capes may have a thousand grants each.
 */
export async function withGrants(
  textures: TextureLists,
  capes: readonly Cape[],
): Promise<readonly ListedCape[]> {
  const listed: ListedCape[] = [];
  for (const cape of capes) {
    if (listed.length % readAtOnce === 0) await yieldToEventLoop();
    const grants = await textures.listGrants(cape.id, limits.ownersShownMax);
    listed.push({ cape, grants, count: await textures.countOwners(cape.id) });
  }
  return listed;
}

/**
 * The grants of a cape, for a list that is read in pages. Staff may; the caller checks that. Reading rows
 * fails with not_found.
 */
export function capeOwnersList(textures: TextureReads, key: CapeKey) {
  const find = async () => {
    const cape = await textures.findCape(key);
    if (cape === null) throw refusals.unknownCape(key.value);
    return cape;
  };
  return {
    rows: async ({ after, rows }: Part) => {
      const listed = await textures.listOwners((await find()).id, null, { after, rows });
      return listed.map(({ place, ...grant }) => ({ ...grant, id: place }));
    },
    count: async () => textures.countOwners((await find()).id),
  };
}

const namedMax = 5;

/** Fails with invalid, naming the field and the first of these unknown ids, unless the list is empty. */
export function refuseUnknown(field: string, what: string, ids: readonly (string | number)[]): void {
  if (ids.length === 0) return;
  const named = ids.slice(0, namedMax).join(", ");
  throw refusals.unknownIds(what, named, Math.max(0, ids.length - namedMax), { field });
}

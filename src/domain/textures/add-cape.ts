import { newUuid, type AccountId } from "../../kernel/ids.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { TextureIntake } from "../ports/pictures.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import { withTexture } from "./files.ts";
import { refuseUnknown } from "./unknown-ids.ts";
import { parseTextureName } from "./name.ts";
import type { Cape } from "../model/texture.ts";

type Deps = {
  readonly reads: Reads;
  readonly transact: Transact;
  readonly blobs: BlobStore;
  readonly intake: TextureIntake;
};

type Input = {
  readonly file: Uint8Array;
  readonly name: string;
  /** An account that comes twice is one owner. */
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
 * Makes a cape and grants it to its owners. Administrators may. Writes audit. Fails as the intake does, with invalid for a
 * bad name and for unknown owners, when nothing is stored, and with no_space.
 */
export async function addCape(deps: Deps, actor: Actor, input: Input): Promise<OwnedCape> {
  const name = parseTextureName(input.name);
  const incoming = await deps.intake.cape(input.file, actor.name);
  const owners = [...new Set(input.owners)];
  const { expiresAt } = input;

  return withTexture(deps, actor, incoming, async (tx) => {
    refuseUnknown("owners", "user", await tx.accounts.listUnknown(owners));
    const { texture } = incoming;
    const row = { uuid: newUuid(), name, uploadedBy: tx.actor.name, createdAt: tx.now };
    const id = await tx.textures.insertCape({ ...row, textureHash: texture.hash });
    await tx.textures.grantCapes({ accounts: owners, capes: [id], grantedAt: tx.now, expiresAt });
    const end = expiresAt === null ? {} : { expired_at: expiresAt };
    const detail = { capeid: row.uuid, name, owners, sha256: texture.digest, ...end };
    tx.audit("cape.upload", null, detail);
    return { cape: { ...row, id, texture }, owners, expiresAt };
  });
}

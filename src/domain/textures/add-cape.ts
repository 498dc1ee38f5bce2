import type { Clock } from "../../kernel/clock.ts";
import { newUuid, type AccountId } from "../../kernel/ids.ts";
import type { Actor } from "../model/actor.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { TextureIntake } from "../ports/pictures.ts";
import type { Transact } from "../ports/stores.ts";
import { withTexture } from "./files.ts";
import { refuseUnknown } from "./unknown-ids.ts";
import { parseTextureName } from "./name.ts";
import type { Cape } from "../model/texture.ts";

type Deps = {
  readonly transact: Transact;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly intake: TextureIntake;
};

type Input = {
  readonly file: Uint8Array;
  readonly name: string;
  /** Whoever comes twice is one owner. */
  readonly owners: readonly AccountId[];
  /** When its owners may wear it no longer, in Unix seconds; null: never. */
  readonly expiresAt: number | null;
};

/** A cape with those who may wear it, and until when. */
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
  const createdAt = deps.clock.nowSeconds();
  const owners = [...new Set(input.owners)];
  const { expiresAt } = input;

  return withTexture(deps, { ...incoming, createdAt }, async (stores) => {
    refuseUnknown("owners", "user", await stores.accounts.listUnknown(owners));
    const { texture } = incoming;
    const row = { uuid: newUuid(), name, uploadedBy: actor.name, createdAt };
    const id = await stores.textures.insertCape({ ...row, textureHash: texture.hash });
    await stores.textures.grantCapes({ accounts: owners, capes: [id], grantedAt: createdAt, expiresAt });
    const end = expiresAt === null ? {} : { expired_at: expiresAt };
    const detail = { capeid: row.uuid, name, owners, sha256: texture.digest, ...end };
    await stores.audit.append({ actor, action: "cape.upload", forAccountId: null, at: createdAt, detail });
    return { cape: { ...row, id, texture }, owners, expiresAt };
  });
}

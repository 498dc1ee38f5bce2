import type { Clock } from "../../kernel/clock.ts";
import { newUuid, type AccountId } from "../../kernel/ids.ts";
import { findMember } from "../accounts/identifier.ts";
import type { Issuer } from "../audit/audit.ts";
import type { BlobStore, TextureIntake } from "../ports.ts";
import type { Transact } from "../stores.ts";
import { withTexture } from "./files.ts";
import { parseTextureName } from "./name.ts";
import type { Cape } from "./texture.ts";

type Deps = {
  readonly transact: Transact;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly intake: TextureIntake;
};

/** A cape with those who may wear it. */
export type OwnedCape = { readonly cape: Cape; readonly owners: readonly AccountId[] };

/**
 * Makes a cape and grants it to its owners (identifiers). Writes audit. Fails as the intake does, with invalid for a
 * bad name, with not_found for an unknown owner, when nothing is stored, and with no_space.
 */
export async function addCape(
  deps: Deps,
  issuer: Issuer,
  input: { readonly file: Uint8Array; readonly name: string; readonly owners: readonly string[] },
): Promise<OwnedCape> {
  const name = parseTextureName(input.name);
  const incoming = await deps.intake.cape(input.file);
  const createdAt = deps.clock.nowSeconds();

  return withTexture(deps, { ...incoming, createdAt }, async (stores) => {
    const { texture } = incoming;
    const row = { uuid: newUuid(), name, uploadedBy: issuer, createdAt };
    const id = await stores.textures.insertCape({ ...row, textureHash: texture.hash });
    const owners = new Set<AccountId>();
    for (const identifier of input.owners)
      owners.add((await findMember(stores.accounts, identifier)).account.id);
    for (const owner of owners) await stores.textures.grantCape(owner, id, createdAt);
    const detail = { capeid: row.uuid, name, owners: [...owners], sha256: texture.digest };
    await stores.audit.append({ issuer, action: "cape.upload", forAccountId: null, at: createdAt, detail });
    return { cape: { ...row, id, texture }, owners: [...owners] };
  });
}

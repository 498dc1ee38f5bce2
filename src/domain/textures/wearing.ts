import { AppError } from "../../kernel/errors.ts";
import type { AccountId, CapeId, Uuid } from "../../kernel/ids.ts";
import type { TextureStore } from "../ports/texture-store.ts";
import type { Tx } from "../ports/unit-of-work.ts";

/**
 * An account may wear the capes that it was granted, each until its grant ends. A skin's cape is always one that the skin's
 * owner was granted: a cape is linked only after `findWearable`, a grant is removed only by `revokeCapes`, and a cape or an
 * account that is deleted takes both with it.
 */

/** The cape, when the account may wear it now. Fails with invalid. */
export async function findWearable({ textures, now }: Tx, account: AccountId, uuid: Uuid): Promise<CapeId> {
  const granted = await textures.listGrantedCapes(account, now);
  const found = granted.find((cape) => cape.uuid === uuid);
  if (found === undefined)
    throw new AppError("invalid", `the skin's owner has no cape ${uuid}`, { field: "cape" });
  return found.id;
}

/** Within a transaction: takes the account's grants of these capes away, and the capes off its skins. */
export async function revokeCapes(
  textures: TextureStore,
  account: AccountId,
  capes: readonly CapeId[],
): Promise<void> {
  if (capes.length === 0) return;
  await textures.deleteGrants(account, capes);
  await textures.unlinkCapes(account, capes);
}

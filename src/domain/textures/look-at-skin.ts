import type { Uuid } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import type { OwnedSkin } from "../model/texture.ts";
import type { RecordedEntry } from "../ports/audit-store.ts";
import type { Reads } from "../ports/stores.ts";

/** Others with the same picture that are named. */
const othersShown = 20;
/** Removals of the owner's skins that are shown. */
const removalsShown = 5;

/** What staff judge a skin by. */
export type SkinLook = {
  readonly skin: OwnedSkin;
  /** Skins of other accounts with the same bitmap, the newest first, and how many there are. */
  readonly others: { readonly rows: readonly OwnedSkin[]; readonly total: number };
  /** The last removals of the owner's skins by staff, the newest first. */
  readonly removals: readonly RecordedEntry[];
};

/**
 * A skin with the other people that have its picture, and what staff removed of its owner. Moderators and
 * administrators may. Fails with not_found.
 */
export async function lookAtSkin(
  { textures, audit }: Pick<Reads, "textures" | "audit">,
  uuid: Uuid,
): Promise<SkinLook> {
  const skin = await textures.findOwnedSkin(uuid);
  if (skin === null) throw refusals.unknownSkin(uuid);
  const page = { after: null, rows: removalsShown, search: null };
  const ofOwner = { forAccountId: skin.accountId, action: "skin.delete" };
  const [others, removals] = await Promise.all([
    textures.listOthersShowing(skin, othersShown),
    audit.listEntries(page, { ...ofOwner, actor: null, actorAccountId: null, since: null, until: null }),
  ]);
  return { skin, others, removals };
}

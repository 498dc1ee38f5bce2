import { AppError } from "../../kernel/errors.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import { changeSkin, type SkinEdit } from "./edit-skin.ts";
import type { TextureReads } from "../ports/texture-store.ts";
import { isHd, type OwnedSkin } from "../model/texture.ts";

/**
 * Changes any member's skin. Moderators and administrators may. `hd` changes nothing: it must agree with the file. Writes audit
 * unless nothing changed. Fails with not_found, with invalid where `hd` does not agree, and as `changeSkin` does.
 */
export async function moderateSkin(
  { transact }: { readonly transact: Transact },
  actor: Actor,
  uuid: Uuid,
  { hd, ...edit }: SkinEdit & { readonly hd?: boolean },
): Promise<OwnedSkin> {
  return transact(actor, async (tx) => {
    const before = await findSkin(tx.textures, uuid);
    const { accountId, texture } = before;
    if (hd !== undefined && hd !== isHd(texture)) {
      const size = `${texture.width}x${texture.height}`;
      throw new AppError("invalid", `must be ${isHd(texture)}, for the skin's file is ${size}`, {
        field: "hd",
      });
    }
    await changeSkin(tx, before, edit);
    const after = await findSkin(tx.textures, uuid);
    const detail = differences(before, after);
    if (detail !== null) tx.audit("skin.update", accountId, detail);
    return after;
  });
}

/** A skin of any wardrobe. Fails with not_found. */
export async function findSkin(textures: TextureReads, uuid: Uuid): Promise<OwnedSkin> {
  const skin = await textures.findOwnedSkin(uuid);
  if (skin === null) throw refusals.unknownSkin(uuid);
  return skin;
}

/** What the audit says of a change; null when nothing has changed. */
function differences(before: OwnedSkin, after: OwnedSkin) {
  const [old, now] = [auditFacts(before), auditFacts(after)];
  const changed = Object.keys(old).filter((name) => old[name] !== now[name]);
  if (changed.length === 0) return null;
  const show = (facts: AuditFacts) => Object.fromEntries(changed.map((name) => [name, facts[name]]));
  return { uuid: before.uuid, old: show(old), new: show(now) };
}

type AuditFacts = Readonly<Record<string, string | boolean>>;

/** What of a skin the audit looks at, in the contract's words. */
function auditFacts({ name, model, capeUuid }: OwnedSkin): AuditFacts {
  return { name, slim: model === "slim", cloakid: capeUuid ?? "" };
}

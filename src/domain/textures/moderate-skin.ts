import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Uuid } from "../../kernel/ids.ts";
import type { Actor } from "../model/actor.ts";
import type { Transact } from "../ports/stores.ts";
import { changeSkin, type SkinEdit } from "./edit-skin.ts";
import type { TextureReads } from "../ports/texture-store.ts";
import { isHd, type OwnedSkin } from "../model/texture.ts";

type Deps = { readonly transact: Transact; readonly clock: Clock };

/**
 * Changes anybody's skin. Moderators and administrators may. `hd` changes nothing: it must agree with the file. Writes audit
 * unless nothing changed. Fails with not_found, with invalid where `hd` does not agree, and as `changeSkin` does.
 */
export async function moderateSkin(
  deps: Deps,
  actor: Actor,
  uuid: Uuid,
  { hd, ...edit }: SkinEdit & { readonly hd?: boolean },
): Promise<OwnedSkin> {
  return deps.transact(async ({ textures, audit }) => {
    const at = deps.clock.nowSeconds();
    const before = await findSkin(textures, uuid);
    const { accountId, texture } = before;
    if (hd !== undefined && hd !== isHd(texture)) {
      const size = `${texture.width}x${texture.height}`;
      throw new AppError("invalid", `hd: must be ${isHd(texture)}, for the skin's file is ${size}`);
    }
    await changeSkin(textures, before, edit, at);
    const after = await findSkin(textures, uuid);
    const detail = differences(before, after);
    if (detail === null) return after;
    await audit.append({ actor, action: "skin.update", forAccountId: accountId, at, detail });
    return after;
  });
}

/** A skin of anybody's wardrobe. Fails with not_found. */
export async function findSkin(textures: TextureReads, uuid: Uuid): Promise<OwnedSkin> {
  const skin = await textures.findOwnedSkin(uuid);
  if (skin === null) throw new AppError("not_found", `uuid: there is no skin ${uuid}`);
  return skin;
}

/** What the audit tells of a change; null when nothing has changed. */
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

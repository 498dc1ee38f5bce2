import type { Member } from "../../../domain/model/account.ts";
import { levelInForce } from "../../../domain/model/account.ts";
import type { OwnedCape } from "../../../domain/textures/add-cape.ts";
import type { ListedCape } from "../../../domain/textures/listed-cape.ts";
import type { TextureBan } from "../../../domain/ports/ban-store.ts";
import { isHd, type Cape, type GrantedCape, type OwnedSkin } from "../../../domain/model/texture.ts";

/** A skin in its owner's wardrobe (decisions, Admin: users/skin). */
export function presentSkin(skin: OwnedSkin) {
  return {
    id: skin.id,
    uuid: skin.uuid,
    name: skin.name,
    ...presentLook(skin),
    selected: skin.isSelected,
    sha256: skin.texture.digest,
    created: skin.createdAt,
  };
}

/** A skin among all skins, shaped as an audit entry (decisions, Admin: skins). */
export function presentListedSkin(skin: OwnedSkin) {
  return {
    id: skin.id,
    iss: skin.ownerName,
    action: "skin" as const,
    for: skin.accountId,
    time: skin.createdAt,
    uuid: skin.uuid,
    name: skin.name,
    ...presentFile(skin),
    ...presentLook(skin),
  };
}

function presentLook({ model, texture, capeUuid }: OwnedSkin) {
  return { slim: model === "slim", hd: isHd(texture), cloak_id: capeUuid ?? "" };
}

function presentFile({ texture: { digest, width, height } }: Cape | OwnedSkin) {
  return { sha256: digest, width, height };
}

/** A cape among all capes, shaped as an audit entry (decisions, Admin: allcapes). */
export function presentListedCape({ cape, grants, count }: ListedCape) {
  return {
    id: cape.id,
    iss: cape.uploadedBy,
    action: "cape" as const,
    for: 0 as const,
    time: cape.createdAt,
    uuid: cape.uuid,
    name: cape.name,
    ...presentFile(cape),
    owners: grants.map(({ accountId }) => accountId),
    owners_count: count,
    grants: grants.map(({ accountId, expiresAt }) => ({ user: accountId, expires_at: expiresAt })),
  };
}

/** What the upload of a cape answers. */
export function presentOwnedCape({ cape, owners, expiresAt }: OwnedCape) {
  return { capeid: cape.uuid, id: cape.id, name: cape.name, owners: [...owners], ...presentEnd(expiresAt) };
}

/** What granting capes answers; `expiresAt` as it was asked for. */
export function presentGrants(
  { account }: Member,
  capes: readonly GrantedCape[],
  { expiresAt, now }: { readonly expiresAt: number | null; readonly now: number },
) {
  return {
    id: account.id,
    new_role_level: levelInForce(account, now),
    capes: capes.map((cape) => ({
      Id: cape.id,
      Name: cape.name,
      Uuid: cape.uuid,
      Expires_at: cape.grantExpiresAt,
    })),
    ...presentEnd(expiresAt),
  };
}

function presentEnd(expiresAt: number | null) {
  return expiresAt === null ? {} : { expired_at: expiresAt };
}

/** A banned bitmap (decisions, Added since: removing a skin). */
export function presentBan({ id, hash, issuer, createdAt, reason }: TextureBan) {
  return { id, hash, iss: issuer, time: createdAt, reason };
}

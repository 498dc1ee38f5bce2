/** What `--json` prints: objects with `id`, `uuid` and the contract's names for the rest. */
import {
  levelInForce,
  temporaryLevelInForce,
  usernameOf,
  uuidOf,
  type ListedMember,
} from "../domain/model/account.ts";
import { type OwnedCape, type ListedCape } from "../domain/textures/capes.ts";
import type { CreatedToken } from "../domain/model/service-token.ts";
import type { TextureBan } from "../domain/ports/ban-store.ts";
import type { PlayerLook } from "../domain/ports/player-store.ts";
import { isHd, type Cape, type OwnedSkin, type Skin } from "../domain/model/texture.ts";

/** As `GET /api/admin/users` lists it, without the fields that are always empty. */
export function userRecord(member: Pick<ListedMember, "account" | "player">, now: number) {
  const { account } = member;
  return {
    id: account.id,
    uuid: uuidOf(member),
    username: usernameOf(member),
    mail: account.mail ?? "",
    mail_verify: account.mailVerified ? 1 : 0,
    perms: levelInForce(account, now),
    perms_permanent: account.permanentLevel,
    perms_expires_at: temporaryLevelInForce(account, now)?.expiresAt ?? null,
    created: account.createdAt,
  };
}

/** As `GET /api/admin/user/{identifier}/players` lists it, with its number and its account's. */
export function playerRecord({ player, isMain, skin, cape, ownCape }: PlayerLook) {
  return {
    id: player.id,
    uuid: player.uuid,
    name: player.name,
    user: player.accountId,
    main: isMain,
    skin: skin ?? "",
    cape: cape ?? "",
    own_cape: player.ownCape === "none" ? "none" : (ownCape ?? ""),
    created: player.createdAt,
  };
}

/** As `GET /api/admin/users/skin/{uuid}` lists it. */
export function skinRecord(skin: Skin, selected: boolean) {
  return {
    id: skin.id,
    uuid: skin.uuid,
    name: skin.name,
    slim: skin.model === "slim",
    hd: isHd(skin.texture),
    selected,
    ...fileRecord(skin),
    created: skin.createdAt,
  };
}

/** A skin among all skins, with its owner: `iss` and `for`, as `GET /api/admin/skins` calls them. */
export function ownedSkinRecord(skin: OwnedSkin) {
  const owner = { iss: skin.ownerName, for: skin.accountId };
  return { ...skinRecord(skin, skin.isSelected), cloak_id: skin.capeUuid ?? "", ...owner };
}

/** `hash` is the bitmap's hash, which `texture ban` takes. */
function fileRecord({ texture: { digest, hash, width, height } }: Skin | Cape) {
  return { sha256: digest, hash, width, height };
}

/** As `GET /api/admin/allcapes` lists it, without its owners. */
export function capeRecord(cape: Cape) {
  return {
    id: cape.id,
    uuid: cape.uuid,
    name: cape.name,
    ...fileRecord(cape),
    created: cape.createdAt,
  };
}

/** As `GET /api/admin/allcapes` lists it. */
export function listedCapeRecord({ cape, grants, count }: ListedCape) {
  return {
    ...capeRecord(cape),
    iss: cape.uploadedBy,
    owners: grants.map(({ accountId }) => accountId),
    owners_count: count,
    grants: grants.map(({ accountId, expiresAt }) => ({ user: accountId, expires_at: expiresAt })),
  };
}

/** As `GET /api/admin/bans` lists it. */
export function banRecord({ id, hash, issuer, createdAt, reason }: TextureBan) {
  return { id, hash, iss: issuer, time: createdAt, reason };
}

/** Equals the answer to `POST /api/admin/user/cape/upload`, plus `uuid`. */
export function ownedCapeRecord({ cape, owners, expiresAt }: OwnedCape) {
  const end = expiresAt === null ? {} : { expired_at: expiresAt };
  return { ...capeRecord(cape), capeid: cape.uuid, owners, ...end };
}

/** A token without its hash. */
export function tokenRecord({ id, name, may, createdAt, lastUsedAt }: CreatedToken) {
  return { id, name, may, created: createdAt, last_used: lastUsedAt };
}

/** The account's record as text for an operator. */
export function readable({ perms_expires_at: until, ...record }: ReturnType<typeof userRecord>) {
  const ends = until === null ? {} : { perms_expires_at: timeText(until) };
  return { ...record, ...ends, created: timeText(record.created) };
}

/** A time in Unix seconds as ISO 8601, in UTC. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** An account in a sentence. */
export function memberText({ account, player }: Pick<ListedMember, "account" | "player">): string {
  return `user ${account.id} (${player?.name ?? account.mail ?? account.uuid})`;
}

/** The temporary level of an account; empty if it has none. */
export function roleText({ account }: Pick<ListedMember, "account">, now: number): string {
  const level = temporaryLevelInForce(account, now);
  return level === null ? "" : `${level.level} until ${timeText(level.expiresAt)}`;
}

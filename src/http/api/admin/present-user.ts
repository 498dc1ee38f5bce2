import { levelInForce, roleInForce, type Account, type Member } from "../../../domain/model/account.ts";
import type { Profile } from "../../../domain/members/profile.ts";
import type { Identity } from "../../../domain/model/identity.ts";
import { isHd, type Cape, type GrantedCape, type Skin } from "../../../domain/model/texture.ts";

/** A user as the list has them (contract, User record). */
export function presentUser({ account, player }: Member, identity: Identity | null, now: number) {
  return {
    id: account.id,
    username: player?.name ?? "",
    dsid: identity?.subject ?? "",
    mail: account.mail ?? "",
    mail_verify: bit(account.mailVerified),
    uuid: account.uuid,
    password: "[redacted]" as const,
    perms: levelInForce(account, now),
    accessToken: null,
    serverID: null,
    hwidId: null,
    ...presentLevels(account, now),
    created: account.createdAt,
  };
}

/** A user by themself (contract, User detail). */
export function presentProfile(profile: Profile, now: number) {
  const { account, player, identity, skins, capes, selectedSkin, selectedCape } = profile;
  return {
    Id: account.id,
    Username: player?.name ?? "",
    Uuid: account.uuid,
    Mail: account.mail ?? "",
    Mail_verify: bit(account.mailVerified),
    Selected_Cape: selectedCape?.id ?? 0,
    Selected_Skin: selectedSkin?.uuid ?? "",
    PermLvl: levelInForce(account, now),
    ...presentLevels(account, now),
    Capes: capes.map(presentCape),
    Skins: skins.map((skin) => presentSkin(skin, { capes, selected: skin === selectedSkin })),
    Social_integration: identity !== null,
    Social: {
      userid: identity?.subject ?? "",
      username: identity?.username ?? "",
      avatar: identity?.avatar ?? "",
    },
    Mail_verification: bit(account.mailVerified),
    Created: account.createdAt,
  };
}

function presentLevels(account: Account, now: number) {
  return {
    perms_permanent: account.permanentLevel,
    perms_expires_at: roleInForce(account, now)?.expiresAt ?? null,
  };
}

/** The contract has a cape's number as a text here, and as an integer in the home profile. */
function presentCape({ id, name, uuid, grantExpiresAt }: GrantedCape) {
  return { Id: String(id), Name: name, Uuid: uuid, Expires_at: grantExpiresAt };
}

function presentSkin(skin: Skin, of: { readonly capes: readonly Cape[]; readonly selected: boolean }) {
  return {
    uuid: skin.uuid,
    name: skin.name,
    cloak_id: of.capes.find((cape) => cape.id === skin.capeId)?.uuid ?? "",
    slim: skin.model === "slim",
    hd: isHd(skin.texture),
    selected: of.selected,
  };
}

/** What giving a role answers; `expiresAt` as it was asked for. */
export function presentRole({ account }: Member, expiresAt: number | null, now: number) {
  const end = expiresAt === null ? {} : { expired_at: expiresAt };
  return { id: account.id, new_role_level: levelInForce(account, now), ...end };
}

function bit(is: boolean): 0 | 1 {
  return is ? 1 : 0;
}

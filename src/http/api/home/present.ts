import type { Profile } from "../../../domain/members/profile.ts";
import type { Session } from "../../../domain/ports/session-store.ts";
import type { SessionId } from "../../../kernel/ids.ts";
import { isHd, type Cape, type Skin } from "../../../domain/model/texture.ts";

/** A profile in the contract's words (Home profile). */
export function presentProfile(profile: Profile) {
  const { account, player, identity, skins, capes, selectedSkin, selectedCape } = profile;
  return {
    Username: player?.name ?? "",
    Uuid: account.uuid,
    Mail: account.mail ?? "",
    Selected_Cape: selectedCape?.id ?? 0,
    Selected_Skin: selectedSkin?.uuid ?? "",
    PermLvl: profile.level,
    Capes: capes.map(({ id, name, uuid }) => ({ Id: id, Name: name, Uuid: uuid })),
    Skin: skins.map((skin) => presentSkin(skin, capes)),
    Social_integration: identity !== null,
    Social: {
      userid: identity?.subject ?? "",
      username: identity?.username ?? "",
      avatar: identity?.avatar ?? "",
    },
    Mail_verification: account.mailVerified ? (1 as const) : (0 as const),
  };
}

function presentSkin(skin: Skin, capes: readonly Cape[]) {
  return {
    Id: skin.id,
    Name: skin.name,
    Uuid: skin.uuid,
    Slim: skin.model === "slim",
    Hd: isHd(skin.texture),
    Cloak_id: capes.find((cape) => cape.id === skin.capeId)?.uuid ?? "",
  };
}

export function presentSession(session: Session, current: SessionId) {
  return {
    id: session.id,
    created: session.createdAt,
    last_used: session.lastUsedAt,
    expires: session.expiresAt,
    address: session.address,
    user_agent: session.userAgent,
    current: session.id === current,
  };
}

import { BoundedMap } from "../../kernel/bounded-map.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { SharedRuns } from "../../kernel/shared-runs.ts";
import type { Waiter, Waiters } from "../../kernel/waiters.ts";
import { textureUrl } from "../model/texture.ts";
import type { Signer, SigningKey } from "../ports/signer.ts";
import type { Appearance } from "../ports/texture-store.ts";

/** A player as games know it: the profile of Minecraft's session server, with exactly these fields. */
export type GameProfile = {
  /** The uuid without dashes. */
  readonly id: string;
  readonly name: string;
  readonly properties: readonly ProfileProperty[];
};

type ProfileProperty = {
  readonly name: "textures" | "uploadableTextures";
  readonly value: string;
  /** Base64, over the bytes of `value`. */
  readonly signature?: string;
};

/** A signed profile, and whether the key that signed it is still in force. */
export type SignedProfile = { readonly profile: GameProfile; readonly holds: () => boolean };

/** Makes the profiles of players. */
export type Profiles = {
  readonly unsigned: (shown: Appearance) => GameProfile;
  /**
   * The profile with a signature of each property. A player is signed once for each look and key, however
   * many requests ask, and states the time of signing. Fails with limited when too many signatures are waited
   * for.
   */
  readonly signed: (shown: Appearance, waiter: Waiter) => Promise<SignedProfile>;
};

type Deps = {
  readonly signer: Signer;
  readonly clock: Clock;
  /** Base of our own addresses. */
  readonly publicUrl: () => string;
};

/** Players upload skins; capes are granted. */
const uploadable = { name: "uploadableTextures", value: "skin" } as const;

/** Profiles of a signer, whose signatures are kept in memory. */
export function createProfiles({ signer, clock, publicUrl }: Deps): Profiles {
  const profiles = new SharedRuns(new BoundedMap<string, GameProfile>(limits.signedProfilesMax));
  // The same for all players.
  const common = new SharedRuns(new BoundedMap<string, ProfileProperty>(1));

  const unsigned = (shown: Appearance): GameProfile => ({
    id: gameId(shown.uuid),
    name: shown.name,
    properties: [
      { name: "textures", value: texturesValue(shown, publicUrl(), clock.nowSeconds() * 1000) },
      uploadable,
    ],
  });
  const sign = async (shown: Appearance, key: SigningKey, waiters: Waiters): Promise<GameProfile> => {
    const profile = unsigned(shown);
    const properties = profile.properties.map((property) =>
      property.name === uploadable.name
        ? common.get(key.id, patient, (others) => signProperty(property, key, others))
        : signProperty(property, key, waiters),
    );
    return { ...profile, properties: await Promise.all(properties) };
  };

  return {
    unsigned,
    signed: async (shown, waiter) => {
      for (;;) {
        const key = await signer.key();
        const look = `${key.id} ${shown.uuid} ${shown.name} ${lookOf(shown)}`;
        const profile = await profiles.get(look, waiter, (waiters) => sign(shown, key, waiters));
        const holds = () => signer.isInForce(key.id);
        // A key that was replaced meanwhile is announced no longer as the one in force.
        if (holds()) return { profile, holds };
      }
    },
  };
}

/** The signature that all profiles share is made even when the client that asked first is gone. */
const patient: Waiter = { client: "", gone: null };

async function signProperty(
  property: ProfileProperty,
  key: SigningKey,
  waiters: Waiters,
): Promise<ProfileProperty> {
  return { ...property, signature: await key.sign(new TextEncoder().encode(property.value), waiters) };
}

/** A uuid as games write it: 32 hex digits. */
export function gameId(uuid: Uuid): string {
  return uuid.replaceAll("-", "");
}

/** A texture as games read it. Values of `metadata` are texts. */
export type GameTexture = { readonly url: string; readonly metadata?: { readonly model: "slim" } };

/** The textures that a player chose. A default skin is not among them: games have their own. */
export function gameTextures(
  { skin, cape }: Pick<Appearance, "skin" | "cape">,
  publicUrl: string,
): { readonly SKIN?: GameTexture; readonly CAPE?: GameTexture } {
  return {
    ...(skin && {
      SKIN: {
        url: textureUrl(publicUrl, skin.texture),
        ...(skin.model === "slim" && { metadata: { model: "slim" } as const }),
      },
    }),
    ...(cape && { CAPE: { url: textureUrl(publicUrl, cape.texture) } }),
  };
}

function texturesValue(shown: Appearance, publicUrl: string, timestamp: number): string {
  const textures = gameTextures(shown, publicUrl);
  const content = { timestamp, profileId: gameId(shown.uuid), profileName: shown.name, textures };
  return Buffer.from(JSON.stringify(content)).toString("base64");
}

function lookOf({ skin, cape }: Appearance): string {
  return `${skin?.model ?? ""} ${skin?.texture.hash ?? ""} ${cape?.texture.hash ?? ""}`;
}

import type { Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import { textureUrl, type Texture } from "../../domain/model/texture.ts";
import type { AboutPlayer } from "../../domain/players/about-player.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import { envelopeOf } from "../envelope.ts";
import { givenFlag, givenNumber, givenText } from "../fields.ts";
import { examples } from "../openapi/examples.ts";

const file = {
  url: t.String({
    format: "uri",
    description: "Where its file is, for good",
    examples: [`https://skins.example.org/textures/${examples.texture}`],
  }),
  digest: givenText("SHA-256 of the file", examples.digest, "hash"),
};
/** A skin; `metadata` is there for slim arms alone. */
const skinTexture = t.Object(
  { ...file, metadata: t.Optional(t.Object({ model: t.Literal("slim") })) },
  {
    component: "LauncherSkin",
    description: "Left out for a player without a skin; `metadata` is there for slim arms alone",
  },
);
export const capeTexture = t.Object(file, {
  component: "LauncherCape",
  description: "Left out for a player without a cape",
});
const shown = { SKIN: t.Optional(skinTexture), CAPE: t.Optional(capeTexture) };

/** `GET /api/skin/launcher/:uuid` (docs/contract/delivery.md#descriptors). */
export const descriptor = t.Object(shown, { component: "LauncherTextures" });
export const descriptorEnvelope = envelopeOf(
  t.Object(
    {
      username: t.String({ examples: [examples.name] }),
      uuid: givenText("The player's UUID", examples.user, "uuid"),
      created: givenNumber("When the player was made: Unix seconds", examples.time),
      shares_skin: givenFlag("Whether members may wear its skin, too", false),
      cape_name: t.Optional(
        t.String({
          description: "The name of its cape; left out for a player without one",
          examples: ["Moon"],
        }),
      ),
      ...shown,
    },
    { component: "PlayerTextures" },
  ),
);

/** What a player's page shows of it beside what launchers read. */
export function presentPlayerTextures(
  appearance: Appearance,
  { createdAt, sharesSkin, capeName }: AboutPlayer,
  publicUrl: string,
): Static<typeof descriptorEnvelope>["data"] {
  const { name, uuid } = appearance;
  return {
    username: name,
    uuid,
    created: createdAt,
    shares_skin: sharesSkin,
    ...(capeName === null ? {} : { cape_name: capeName }),
    ...presentDescriptor(appearance, publicUrl),
  };
}

/** What a launcher reads. What a player does not have is left out; no value is null. */
export function presentDescriptor(
  appearance: Appearance | null,
  publicUrl: string,
): Static<typeof descriptor> {
  const file = (texture: Texture) => ({ url: textureUrl(publicUrl, texture), digest: texture.digest });
  const { skin = null, cape = null } = appearance ?? {};
  const metadata = skin?.model === "slim" ? { metadata: { model: "slim" as const } } : {};
  return {
    ...(skin === null ? {} : { SKIN: { ...file(skin.texture), ...metadata } }),
    ...(cape === null ? {} : { CAPE: file(cape.texture) }),
  };
}

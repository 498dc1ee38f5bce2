import type { Static } from "@sinclair/typebox";
import { findPlayer, subjectsOf } from "../../domain/textures/delivery.ts";
import type { Appearance } from "../../domain/ports/texture-store.ts";
import type { ShownJson } from "../answers.ts";
import { readPlayerKey } from "../player-keys.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { descriptor, presentDescriptor } from "../resources/launcher-textures.ts";
import { failed } from "./failure.ts";
import { openJsonHeaders } from "../textures/answers.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

const params = t.Object({
  player: t.String({
    description: "The player's UUID, dashed or not, or name",
    documented: { type: "string", examples: [examples.name] },
  }),
});
const query = t.Object({
  digest: t.Optional(
    t.Union([t.Literal("hex"), t.Literal("base64")], {
      description: "How digests are written: hex, or URL-safe Base64 for LaunchServers 5.2 to 5.4",
      default: "hex",
      rule: "must be hex or base64",
    }),
  ),
});

/** `GET /api/gravit/textures/{player}`: the texture provider `json`, which takes 404 and null for a fault. */
export function texturesRoute(
  { textures }: Services["reads"],
  { answers, site }: Pick<Http, "answers" | "site">,
) {
  const find = async (player: string, digest: "hex" | "base64"): Promise<ShownJson> => {
    const key = readPlayerKey(player);
    const shown = await findPlayer(textures, key);
    return { body: presentTextures(shown, site.publicUrl(), digest), subjects: subjectsOf(key, shown) };
  };
  return route("GET", "/textures/:player", {
    params,
    query,
    operationId: "getGravitTextures",
    summary: "What a player shows, for the texture provider json",
    description: "An unknown player is answered `{}`.",
    protocol: true,
    answers: {
      200: { description: "The textures", headers: openJsonHeaders, schema: descriptor },
      400: failed("No UUID or name, or no such kind of digest"),
    },
    handle: ({ params: { player }, query: { digest = "hex" }, request }) =>
      answers.json(request, () => find(player, digest)),
  });
}

/** A player's textures with digests in hex, or as LaunchServers before 5.5 read them. */
export function presentTextures(
  appearance: Appearance | null,
  publicUrl: string,
  digest: "hex" | "base64",
): Static<typeof descriptor> {
  const shown = presentDescriptor(appearance, publicUrl);
  if (digest === "hex") return shown;
  const { SKIN: skin, CAPE: cape } = shown;
  return { ...(skin && { SKIN: inBase64(skin) }), ...(cape && { CAPE: inBase64(cape) }) };
}

function inBase64<Texture extends { digest: string }>(texture: Texture): Texture {
  return { ...texture, digest: Buffer.from(texture.digest, "hex").toString("base64url") };
}

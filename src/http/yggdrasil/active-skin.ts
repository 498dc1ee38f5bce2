import { findPlayer } from "../../domain/players/list-players.ts";
import { PlainError } from "../../kernel/errors.ts";
import { parseTextureHash, type TextureHash } from "../../kernel/ids.ts";
import { formOrJsonReader } from "../form-body.ts";
import { pngField } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { failureAnswer } from "./failures.ts";
import { boundPlayer, ownProfile, presentOwnProfile } from "./own-profile.ts";
import { atPlaces } from "./places.ts";
import { modelField, modelOf, uploadFailures, uploadGate } from "./uploads.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

const variant = modelField("`slim` or `classic`");
const skinForm = t.Object({ file: pngField(), variant }, { component: "ActiveSkinForm" });
const skinAddress = t.Object(
  {
    url: t.String({
      description: "The address of a texture here, as profiles have it. No other address is fetched",
      rule: "must be a text",
      examples: [`https://skins.example.org/textures/${examples.texture}`],
    }),
    variant,
  },
  { component: "ActiveSkinAddress" },
);

/**
 * `POST minecraft/profile/skins`: a file, or the address of a skin that is here. The game's own service
 * fetches any address.
 */
export function activeSkinRoute(
  services: Pick<Services, "clock" | "limits" | "players" | "reads" | "rules">,
  http: Pick<Http, "guards" | "requests" | "site">,
) {
  return atPlaces(
    ["/minecraftservices", ""],
    [
      route("POST", "/minecraft/profile/skins", {
        guard: http.guards.game,
        before: uploadGate(services, http),
        read: formOrJsonReader(services.rules.textures.bytesMax),
        body: t.Union([skinForm, skinAddress], {
          rule: "must be a form whose part `file` is one PNG, or JSON with a `url`",
        }),
        operationId: "uploadActiveSkin",
        summary: "Upload a skin for the token's player, and wear it",
        description:
          "As JSON it is the address of a skin that a player here wears, or that is in the account's wardrobe.",
        answers: {
          200: { schema: ownProfile },
          ...uploadFailures,
          404: failureAnswer("The token belongs to no player"),
          415: failureAnswer("The body is neither a form nor JSON"),
        },
        handle: async ({ actor, member, player, body }) => {
          const { id, uuid } = boundPlayer({ player });
          const model = modelOf(body.variant);
          const look = await findPlayer(services.reads.players, { by: "id", value: id });
          if ("file" in body)
            await services.players.wearUpload(actor, look, { png: await body.file.bytes(), model });
          else
            await services.players.wearKnownSkin(actor, look, {
              hash: hashIn(body.url, http.site.publicUrl()),
              model,
            });
          return presentOwnProfile(services, http, member, { uuid });
        },
      }),
    ],
  );
}

/** The hash in the address of a texture here. Fails with invalid for every other address. */
function hashIn(url: string, publicUrl: string): TextureHash {
  const { href: root } = new URL(`${publicUrl}/textures/`);
  const { href = "" } = URL.parse(url) ?? {};
  const hash = href.startsWith(root) ? parseTextureHash(href.slice(root.length)) : null;
  if (hash !== null) return hash;
  const rule = `must be ${root} and the hash of a skin: files are not fetched from elsewhere`;
  throw new PlainError("invalid", rule, { field: "url" });
}

import { gameId } from "../../domain/game/profile.ts";
import type { Member, Player } from "../../domain/model/account.ts";
import { refusals } from "../../domain/model/refusals.ts";
import { textureUrl } from "../../domain/model/texture.ts";
import { givenGameId } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { t } from "../routing/schema.ts";
import { type Static } from "@sinclair/typebox";

const textureExample = `https://skins.example.org/textures/${examples.texture}`;

/** A player as the game shows it to its owner, in the form of the game's services. */
export const ownProfile = t.Object(
  {
    id: givenGameId(),
    name: t.String({ examples: [examples.name] }),
    skins: t.Array(
      t.Object({
        id: t.String({ shape: "uuid", examples: [examples.skin] }),
        state: t.Literal("ACTIVE"),
        url: t.String({ examples: [textureExample] }),
        variant: t.Union([t.Literal("CLASSIC"), t.Literal("SLIM")]),
      }),
    ),
    capes: t.Array(
      t.Object({
        id: t.String({ shape: "uuid", examples: [examples.cape] }),
        state: t.Union([t.Literal("ACTIVE"), t.Literal("INACTIVE")]),
        url: t.String({ examples: [textureExample] }),
        alias: t.String({ examples: [examples.capeName] }),
      }),
    ),
  },
  { component: "OwnGameProfile" },
);

/** The player that a token is bound to. Fails with not_found for a token without one. */
export function boundPlayer({ player }: { readonly player: Player | null }): Player {
  if (player === null) throw refusals.unboundToken();
  return player;
}

/** What the player shows, and all capes that its account may wear. */
export async function presentOwnProfile(
  { reads: { textures }, clock }: Pick<Services, "reads" | "clock">,
  { site: { publicUrl } }: Pick<Http, "site">,
  { account }: Pick<Member, "account">,
  { uuid }: Pick<Player, "uuid">,
): Promise<Static<typeof ownProfile>> {
  const shown = await textures.findAppearance({ by: "uuid", value: uuid });
  if (shown === null) throw refusals.unknownPlayer();
  const { skin } = shown;
  const capes = await textures.listGrantedCapes(account.id, clock.nowSeconds());
  return {
    id: gameId(shown.uuid),
    name: shown.name,
    skins:
      skin === null
        ? []
        : [
            {
              id: skin.uuid,
              state: "ACTIVE",
              url: textureUrl(publicUrl(), skin.texture),
              variant: skin.model === "slim" ? "SLIM" : "CLASSIC",
            },
          ],
    capes: capes.map((cape) => ({
      id: cape.uuid,
      state: cape.uuid === shown.cape?.uuid ? "ACTIVE" : "INACTIVE",
      url: textureUrl(publicUrl(), cape.texture),
      alias: cape.name,
    })),
  };
}

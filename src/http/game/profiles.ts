import { findPlayer, subjectsOf, type PlayerKey } from "../../domain/textures/delivery.ts";
import type { ShownJson } from "../answers.ts";
import { givenGameId } from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { t } from "../routing/schema.ts";

/**
 * Answers with a player's profile as games know it, signed or not, or with 204 for an unknown player. It
 * comes from memory until the player changes, or the key that signed it.
 */
export function answerProfile(
  { reads, game: { profiles } }: Pick<Services, "reads" | "game">,
  { answers, requests }: Pick<Http, "answers" | "requests">,
  request: Request,
  { key, isSigned }: { readonly key: PlayerKey; readonly isSigned: boolean },
): Promise<Response> {
  return answers.json(request, async (): Promise<ShownJson | null> => {
    const shown = await findPlayer(reads.textures, key);
    if (shown === null) return null;
    const subjects = subjectsOf(key, shown);
    if (!isSigned) return { body: profiles.unsigned(shown), subjects };
    const { profile, holds } = await profiles.signed(shown, requests.waiterOf(request));
    return { body: profile, subjects, holds };
  });
}

/** A player with what it shows, as `domain/game/profile.ts` makes it. */
export const gameProfile = t.Object(
  {
    id: givenGameId(),
    name: t.String({ description: "The player's name", examples: [examples.name] }),
    properties: t.Array(
      t.Object({
        name: t.String({ examples: ["uploadableTextures"] }),
        value: t.String({ description: "`textures`: JSON in Base64", examples: ["skin"] }),
        signature: t.Optional(
          t.String({
            description: "Base64, RSA PKCS #1 v1.5 with SHA-1 over the text of `value`",
            examples: ["c2lnbmF0dXJl"],
          }),
        ),
      }),
    ),
  },
  { component: "GameProfile" },
);

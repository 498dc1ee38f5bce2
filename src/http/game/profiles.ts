import { subjectsOf, type PlayerKey } from "../../domain/textures/delivery.ts";
import type { Asked, ShownJson } from "../answers.ts";
import type { Parts } from "../parts.ts";

type Deps = Pick<Parts, "reads" | "answers" | "profiles" | "waiterOf">;

/**
 * Answers with a player's profile as games know it, signed or not, or with 204 for an unknown player. It comes from memory until the
 * player changes, or the key that signed it.
 */
export function answerProfile(
  { reads, answers, profiles, waiterOf }: Deps,
  asked: Asked,
  key: PlayerKey,
  isSigned: boolean,
): Promise<Response> {
  return answers.json(asked, async (): Promise<ShownJson | null> => {
    const shown = await reads.textures.findAppearance(key);
    if (shown === null) return null;
    const subjects = subjectsOf(key, shown);
    if (!isSigned) return { body: profiles.unsigned(shown), subjects };
    const { profile, holds } = await profiles.signed(shown, waiterOf(asked.request));
    return { body: profile, subjects, holds };
  });
}

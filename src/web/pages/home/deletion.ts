import { api, ask } from "../../api/client.ts";
import { faceChanged } from "../../shell/member-menu.tsx";
import { sayBad, sayHeard } from "../../shell/messages.tsx";
import { removeLater, undoRemoval } from "../../shell/removals.ts";
import { words } from "../../words/language.ts";
import type { Shown } from "./home-page.tsx";
import { loadWardrobe, skinIn, type Skin } from "./wardrobe-data.ts";
import { showLookProblem } from "./wear.ts";

/**
 * Deletes a skin once that can no longer be undone; its card stays until then. A skin that could not be deleted is shown again. What
 * the server then has is shown, also when the page of the wardrobe was left meanwhile.
 */
export function deleteLater({ Uuid, Name }: Skin, { reload }: Pick<Shown, "reload">): void {
  removeLater(Uuid, async () => {
    // The page may be going away with the request on its way.
    const result = await ask(api.DELETE("/api/home/edit/skin", { body: { skinid: Uuid }, keepalive: true }));
    const isGone = result.ok || (await isGoneElsewhere(Uuid));
    if (isGone) {
      // It may have been worn.
      faceChanged();
      await reload();
    } else if (!result.ok) sayBad(words.peek().home.notDeleted(Name, showLookProblem(result.problem)));
    return isGone;
  });
  sayHeard(words.peek().wardrobe.removedThing(Name));
}

export function keep({ Uuid, Name }: Skin): void {
  undoRemoval(Uuid);
  sayHeard(words.peek().wardrobe.keptThing(Name));
}

async function isGoneElsewhere(uuid: string): Promise<boolean> {
  const now = await loadWardrobe();
  return now.ok && skinIn(now.body, uuid) === null;
}

import { api, ask } from "../../api/client.ts";
import { faceChanged } from "../../shell/member-menu.tsx";
import { sayBad, sayHeard } from "../../shell/messages.tsx";
import { removeLater, undoRemoval } from "../../shell/removals.ts";
import { words } from "../../words/language.ts";
import type { ShownWardrobe } from "./home-page.tsx";
import { loadWardrobe, skinIn, type Skin } from "./wardrobe-data.ts";
import { showLookProblem } from "./wear.ts";

/**
 * Deletes a skin once Undo has ended; its card stays until then. If deleting fails, the skin is shown again.
 * The wardrobe is loaded again afterwards, even if its page was left meanwhile.
 */
export function deleteLater({ Uuid, Name }: Skin, { reload }: Pick<ShownWardrobe, "reload">): void {
  removeLater(Uuid, async () => {
    // The visitor may leave the page while the request is under way.
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

import { api, ask } from "../../api/client.ts";
import { sayBad, sayUndoable } from "../../shell/messages.tsx";
import { words } from "../../words/language.ts";
import { leaving, type Skin } from "./wardrobe-data.ts";
import { showLookProblem } from "./wear.ts";

/**
 * Takes a skin out of the wardrobe that is shown, and deletes it once that can no longer be undone. A skin that could not be deleted
 * is shown again. `gone` is called after the deletion, also when the page of the wardrobe is no longer shown.
 */
export function deleteLater({ Uuid, Name }: Skin, gone: () => void): void {
  const { home, shell } = words.peek();
  const show = () => {
    leaving.value = new Set([...leaving.peek()].filter((uuid) => uuid !== Uuid));
  };
  const commit = async () => {
    // The page may be going away with the request on its way.
    const result = await ask(api.DELETE("/api/home/edit/skin", { body: { skinid: Uuid }, keepalive: true }));
    if (result.ok || result.problem.kind === "not-found") return gone();
    show();
    sayBad(home.notDeleted(Name, showLookProblem(result.problem)));
  };
  leaving.value = new Set([...leaving.peek(), Uuid]);
  sayUndoable(shell.deleted(Name), { commit, undo: show });
}

import { words } from "../../words/language.ts";
import { SkinCard, useSkinDialog } from "./skin-card.tsx";
import type { UserPart } from "./user-part.ts";

/** A person's wardrobe. */
export function UserSkins({ user, reload }: UserPart) {
  const { admin, home } = words.value;
  const { ask, dialog } = useSkinDialog(reload);
  return (
    <section>
      <h2>{admin.sections.skins}</h2>
      {user.Skins.length === 0 && <p class="soft">{admin.noSkinsOf}</p>}
      {user.Skins.length > 0 && (
        <ul class="cards" aria-label={admin.sections.skins}>
          {user.Skins.map((skin) => (
            <SkinCard
              key={skin.uuid}
              heading="h3"
              skin={skin}
              note={skin.selected ? home.worn : null}
              onAsk={ask}
            />
          ))}
        </ul>
      )}
      {dialog}
    </section>
  );
}

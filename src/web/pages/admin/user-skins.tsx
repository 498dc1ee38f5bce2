import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { showNumber } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { SkinCard, useSkinDialog } from "./skin-card.tsx";
import type { UserPart } from "./user-part.ts";

/** Skins that are drawn at once, and with each "Show more". */
const shownAtOnce = 48;

/** A person's wardrobe. */
export function UserSkins({ user, reload }: UserPart) {
  const { admin, home, shell } = words.value;
  const [shown, setShown] = useState(shownAtOnce);
  const box = useRef<HTMLDivElement>(null);
  const all = user.Skins.length;
  const { ask, dialog } = useSkinDialog(reload);
  const more = () => {
    setShown(shown + shownAtOnce);
    box.current?.focus();
  };
  return (
    <section>
      <h2>{shell.staffSections.skins}</h2>
      {user.Skins.length === 0 && <p class="soft">{admin.noSkinsOf}</p>}
      {user.Skins.length > 0 && (
        <ul class="cards" aria-label={shell.staffSections.skins}>
          {user.Skins.slice(0, shown).map((skin) => (
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
      {all > shownAtOnce && (
        <div ref={box} class="more" tabIndex={-1}>
          <p class="soft">{shell.shown(showNumber(Math.min(shown, all)), showNumber(all))}</p>
          {shown < all && <Button onClick={more}>{shell.more}</Button>}
        </div>
      )}
      {dialog}
    </section>
  );
}

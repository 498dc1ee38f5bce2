import { useId, useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/load.tsx";
import { showNumber } from "../../words/format.ts";
import { words } from "../../words/staff-pages.ts";
import { SkinCard, useSkinDialog } from "./skin-card.tsx";
import type { UserPart } from "./user-part.ts";

/** Skins that are drawn at once, and with each "Show more". */
const shownAtOnce = 48;

/** From here on a list is easier to search than to look through. */
const searchedFrom = 9;

/** A person's wardrobe: what is worn first, then the newest. */
export function UserSkins({ user, reload }: UserPart) {
  const { admin, home, shell } = words.value;
  const [shown, setShown] = useState(shownAtOnce);
  const box = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const sorted = wornFirst(user.Skins);
  const found = sorted.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const all = found.length;
  const { ask, dialog } = useSkinDialog(reload);
  const more = () => {
    setShown(shown + shownAtOnce);
    box.current?.focus();
  };
  const search = (typed: string) => {
    setText(typed);
    setShown(shownAtOnce);
  };
  return (
    <section>
      <h2>{shell.staffSections.skins}</h2>
      {sorted.length === 0 && <p class="soft">{admin.noSkinsOf}</p>}
      {(sorted.length >= searchedFrom || text !== "") && <SearchSkins text={text} onChange={search} />}
      {sorted.length > 0 && all === 0 && <Empty text={home.noMatch} />}
      {all > 0 && (
        <ul class="cards" aria-label={shell.staffSections.skins}>
          {found.slice(0, shown).map((skin) => (
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

/** The server lists them from oldest to newest. */
function wornFirst(skins: UserPart["user"]["Skins"]): UserPart["user"]["Skins"] {
  const newest = skins.toReversed();
  return [...newest.filter(({ selected }) => selected), ...newest.filter(({ selected }) => !selected)];
}

type SearchSkinsProps = { readonly text: string; readonly onChange: (text: string) => void };

function SearchSkins({ text, onChange }: SearchSkinsProps) {
  const id = useId();
  return (
    <div class="field search-box">
      <label for={id}>{words.value.home.search}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

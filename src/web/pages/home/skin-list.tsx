import { useLocation } from "preact-iso";
import { useEffect, useId, useState } from "preact/hooks";
import { community } from "../../api/community.ts";
import { Empty } from "../../parts/load.tsx";
import { words } from "../../words/language.ts";
import { showNumber } from "../../words/format.ts";
import { deleteLater } from "./deletion.ts";
import { EditSkin } from "./edit-skin.tsx";
import type { Shown } from "./home-page.tsx";
import { SkinCard } from "./skin-card.tsx";
import { capeIn, keptSkins, playerIn, type Skin } from "./wardrobe-data.ts";
import { wearSkin } from "./wear.ts";

/** From here on a list is easier to search than to look through. */
const searchedFrom = 9;

export function SkinList(shown: Shown) {
  const { wardrobe } = shown;
  const { home } = words.value;
  const id = useId();
  const [edited, setEdited] = useState<Skin | null>(null);
  const [text, setText] = useSearch();
  const kept = keptSkins(wardrobe);
  const matching = kept.filter(({ Name }) => Name.toLowerCase().includes(text.trim().toLowerCase()));
  const { skin: worn } = playerIn(wardrobe);
  const max = community.rules.wardrobe_max;
  return (
    <section class="skins" aria-labelledby={id}>
      <div class="skins-head">
        <h2 id={id}>{home.skins}</h2>
        {kept.length > 0 && <p class="soft">{home.places(showNumber(kept.length), showNumber(max))}</p>}
        {(kept.length >= searchedFrom || text !== "") && <SearchSkins text={text} onChange={setText} />}
      </div>
      {kept.length >= max && <p class="notice">{home.full(max)}</p>}
      {kept.length === 0 && <Empty text={home.empty} />}
      {kept.length > 0 && matching.length === 0 && <Empty text={home.noMatch} />}
      <ul class="cards" aria-labelledby={id}>
        {matching.map((skin) => (
          <SkinCard
            key={skin.Uuid}
            skin={skin}
            cape={capeIn(wardrobe, skin.Cloak_id)}
            isWorn={skin.Uuid === worn}
            onWear={() => wearSkin(shown, skin)}
            onEdit={() => setEdited(skin)}
            onDelete={(button) => {
              focusBeside(button);
              deleteLater(skin, () => void shown.reload());
            }}
          />
        ))}
      </ul>
      {edited !== null && (
        <EditSkin
          skin={edited}
          capes={wardrobe.capes}
          onClose={() => setEdited(null)}
          onSaved={() => shown.reload()}
        />
      )}
    </section>
  );
}

/** The text that narrows the list down: at first that of the address, to which "Go to" leads. */
function useSearch() {
  const { query } = useLocation();
  const asked = query["q"] ?? "";
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  return [text, setText] as const;
}

function SearchSkins({
  text,
  onChange,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
  const { home } = words.value;
  return (
    <label class="skins-search">
      {home.search}
      <input
        type="search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

/** The focus goes to the next skin's button, else to the one before, so that it does not fall out of the list. */
function focusBeside(button: HTMLElement): void {
  const card = button.closest("li");
  const beside = card?.nextElementSibling ?? card?.previousElementSibling;
  const next = beside?.querySelector<HTMLElement>(".card-actions > :last-child");
  (next ?? document.querySelector<HTMLElement>("main"))?.focus();
}

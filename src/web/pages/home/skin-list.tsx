import { useLocation } from "preact-iso";
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { community } from "../../api/community.ts";
import { Empty } from "../../parts/load.tsx";
import { words } from "../../words/language.ts";
import { showNumber } from "../../words/format.ts";
import { deleteLater } from "./deletion.ts";
import { EditSkin } from "./edit-skin.tsx";
import type { ShownWardrobe } from "./home-page.tsx";
import { SkinCard } from "./skin-card.tsx";
import { capeIn, keptSkins, listedSkins, playerIn, withFirst, type Skin } from "./wardrobe-data.ts";
import { wearSkin } from "./wear.ts";

/** From here on a list is easier to search than to look through. */
const searchedFrom = 9;

type SkinListProps = ShownWardrobe & {
  /** The UUID of the skin that the figure shows. */
  readonly shownSkin: string;
  readonly onShow: (skin: Skin) => void;
};

export function SkinList({ shownSkin, onShow, ...shown }: SkinListProps) {
  const { wardrobe } = shown;
  const { home } = words.value;
  const id = useId();
  const [edited, setEdited] = useState<Skin | null>(null);
  const [text, setText] = useSearch();
  const kept = keptSkins(wardrobe);
  const { uuid: player, skin: worn } = playerIn(wardrobe);
  const first = useMemo(() => worn, [player]);
  const listed = withFirst(listedSkins(wardrobe), first);
  const matching = listed.filter(({ Name }) => Name.toLowerCase().includes(text.trim().toLowerCase()));
  const max = community.rules.wardrobe_max;
  return (
    <section class="skins" aria-labelledby={id}>
      <div class="skins-head">
        <h2 id={id}>{home.skins}</h2>
        {kept.length > 0 && <p class="soft">{home.places(showNumber(kept.length), showNumber(max))}</p>}
        {(kept.length >= searchedFrom || text !== "") && <SearchSkins text={text} onChange={setText} />}
      </div>
      {kept.length >= max && <p class="notice">{home.full(max)}</p>}
      {listed.length === 0 && <Empty text={home.empty} />}
      {listed.length > 0 && matching.length === 0 && <Empty text={home.noMatch} />}
      <ul class="cards" aria-labelledby={id}>
        {matching.map((skin) => (
          <SkinCard
            key={skin.Uuid}
            skin={skin}
            cape={capeIn(wardrobe, skin.Cloak_id)}
            isWorn={skin.Uuid === worn}
            isShown={skin.Uuid === shownSkin}
            onShow={() => onShow(skin)}
            onWear={() => {
              onShow(skin);
              return wearSkin(shown, skin);
            }}
            onEdit={() => setEdited(skin)}
            onDelete={() => deleteLater(skin, shown)}
          />
        ))}
      </ul>
      {edited !== null && <EditSkin skin={edited} shown={shown} onClose={() => setEdited(null)} />}
    </section>
  );
}

/** The text that filters the list; at first the one in the address, which "Go to" sets. */
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
      <span class="heard">{home.search}</span>
      <input
        type="search"
        placeholder={home.search}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

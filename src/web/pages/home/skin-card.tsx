import { bodyPicture } from "../../api/textures.ts";
import { Button } from "../../parts/button.tsx";
import { CardPicture } from "../../parts/card-picture.tsx";
import { words } from "../../words/language.ts";
import { modelOf, type Cape, type Skin } from "./wardrobe-data.ts";

type SkinCardProps = {
  readonly skin: Skin;
  readonly cape: Cape | null;
  readonly isWorn: boolean;
  readonly onWear: () => unknown;
  readonly onEdit: () => void;
  readonly onDelete: (card: HTMLElement) => void;
};

/** A skin of the wardrobe. */
export function SkinCard({ skin, cape, isWorn, onWear, onEdit, onDelete }: SkinCardProps) {
  const { home, shell } = words.value;
  return (
    <li aria-current={isWorn || undefined}>
      <SkinPicture skin={skin} />
      <div>
        <h3 class="card-name" dir="auto">
          {skin.Name}
        </h3>
        <p class="card-facts">
          {isWorn && <strong class="worn">{home.worn} · </strong>}
          {home.models[modelOf(skin)]}
          {skin.Hd && ` · ${home.hd}`}
        </p>
        {cape !== null && (
          <p class="card-facts card-name" dir="auto">
            {home.withCape(cape.Name)}
          </p>
        )}
      </div>
      <div class="card-actions">
        <Button label={home.wearThis(skin.Name)} busy={isWorn} onClick={onWear}>
          {home.wear}
        </Button>
        <Button label={shell.editThing(skin.Name)} onClick={onEdit}>
          {shell.edit}
        </Button>
        <Button
          kind="danger"
          label={shell.deleteThing(skin.Name)}
          onClick={({ currentTarget }) => {
            if (currentTarget instanceof HTMLElement) onDelete(currentTarget);
          }}
        >
          {shell.delete}
        </Button>
      </div>
    </li>
  );
}

/** Its address names the arms, because the browser keeps pictures for a while. */
function SkinPicture({ skin }: { readonly skin: Skin }) {
  return <CardPicture address={(size) => `${bodyPicture(skin.Uuid, size)}&arms=${modelOf(skin)}`} />;
}

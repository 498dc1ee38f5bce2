import { useMemo } from "preact/hooks";
import { level } from "../../api/session.ts";
import { capePicture } from "../../api/textures.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { CardPicture } from "../../parts/card-picture.tsx";
import { Empty } from "../../parts/load.tsx";
import { showDay } from "../../words/format.ts";
import { words } from "../../words/language.ts";
import { HomePage, type ShownWardrobe } from "./home-page.tsx";
import { Preview, type Previewed } from "./preview.tsx";
import { capeIn, playerIn, skinIn, useChosen, withFirst, type Cape } from "./wardrobe-data.ts";
import { dressing, wearCape } from "./wear.ts";

/** The capes that the member was granted, until when, and which one is worn. */
export function Capes() {
  return (
    <HomePage heading={words.value.shell.capes} list={words.value.home.granted}>
      {(shown) => <Granted {...shown} />}
    </HomePage>
  );
}

function Granted(shown: ShownWardrobe) {
  const { wardrobe } = shown;
  const player = playerIn(wardrobe);
  const [chosen, choose] = useChosen(player);
  const worn = capeIn(wardrobe, player.cape);
  const cape = capeIn(wardrobe, chosen) ?? worn;
  const isWorn = (cape?.Uuid ?? "") === player.cape;
  const look: Previewed = { skin: skinIn(wardrobe, player.skin), cape, thing: cape, isWorn };
  return (
    <div class="home">
      <Preview
        wardrobe={wardrobe}
        from="back"
        look={look}
        worn={worn?.Name ?? null}
        onWear={() => wearCape(shown, cape)}
        onTakeOff={() => {
          choose("");
          return wearCape(shown, null);
        }}
        onBack={() => choose("")}
      />
      <CapeList shown={shown} shownCape={cape?.Uuid ?? ""} onShow={choose} />
    </div>
  );
}

type CapeListProps = {
  readonly shown: ShownWardrobe;
  /** The UUID of the cape that the figure shows. */
  readonly shownCape: string;
  readonly onShow: (uuid: string) => void;
};

function CapeList({ shown, shownCape, onShow }: CapeListProps) {
  const { home, shell } = words.value;
  const { wardrobe } = shown;
  const player = playerIn(wardrobe);
  const skin = skinIn(wardrobe, player.skin);
  const first = useMemo(() => player.cape, [player.uuid]);
  return (
    <section class="skins">
      <div class="skins-head">
        <h2>{home.granted}</h2>
      </div>
      {wardrobe.capes.length === 0 ? (
        <NoCapes />
      ) : (
        <p class="soft">{skin === null ? home.capesHelpBare : home.capesHelp(skin.Name)}</p>
      )}
      <ul class="cards" aria-label={shell.capes}>
        {withFirst(wardrobe.capes, first).map((cape) => (
          <CapeCard
            key={cape.Uuid}
            cape={cape}
            isWorn={cape.Uuid === player.cape}
            isShown={cape.Uuid === shownCape}
            onShow={() => onShow(cape.Uuid)}
            onWear={() => {
              onShow(cape.Uuid);
              return wearCape(shown, cape);
            }}
          />
        ))}
      </ul>
    </section>
  );
}

/** Administrators read where they add capes: no one else grants them any. */
function NoCapes() {
  const { home } = words.value;
  const isOwner = level.value >= 3;
  return (
    <Empty text={isOwner ? home.capesEmptyOwner : home.capesEmpty}>
      {isOwner ? (
        <ButtonLink href="/admin/capes">{home.toAllCapes}</ButtonLink>
      ) : (
        <ButtonLink href="/home">{home.toWardrobe}</ButtonLink>
      )}
    </Empty>
  );
}

type CapeCardProps = {
  readonly cape: Cape;
  readonly isWorn: boolean;
  /** Whether the figure shows it. */
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onWear: () => unknown;
};

function CapeCard({ cape, isWorn, isShown, onShow, onWear }: CapeCardProps) {
  const { home, wardrobe } = words.value;
  const works = dressing.value === cape.Uuid;
  return (
    <li aria-current={isWorn || undefined}>
      <button
        type="button"
        class="card-show"
        aria-label={wardrobe.show(cape.Name)}
        aria-pressed={isShown}
        onClick={onShow}
      >
        <CardPicture address={(size) => capePicture(cape.Uuid, size)} />
      </button>
      <div>
        <h3 class="card-name" dir="auto">
          {cape.Name}
        </h3>
        <p class="card-facts">
          {isWorn && <strong class="worn">{home.worn} · </strong>}
          {cape.Expires_at === null ? home.forever : home.until(showDay(cape.Expires_at))}
        </p>
      </div>
      <div class="card-actions">
        <Button label={home.wearThis(cape.Name)} works={works} busy={isWorn || works} onClick={onWear}>
          {home.wear}
        </Button>
      </div>
    </li>
  );
}

import { capePicture } from "../../api/textures.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { CardPicture } from "../../parts/card-picture.tsx";
import { Empty } from "../../parts/load.tsx";
import { showDay } from "../../words/format.ts";
import { words } from "../../words/language.ts";
import { HomePage, type Shown } from "./home-page.tsx";
import { Preview } from "./preview.tsx";
import { playerIn, skinIn, type Cape } from "./wardrobe-data.ts";
import { wearCape } from "./wear.ts";

/** What the member was granted, until when, and what is worn of it. */
export function Capes() {
  return (
    <HomePage heading={words.value.shell.capes} list={words.value.home.granted}>
      {(shown) => (
        <div class="home">
          <Preview wardrobe={shown.wardrobe} from="back" />
          <CapeList {...shown} />
        </div>
      )}
    </HomePage>
  );
}

function CapeList(shown: Shown) {
  const { home, shell } = words.value;
  const { wardrobe } = shown;
  const player = playerIn(wardrobe);
  const skin = skinIn(wardrobe, player.skin);
  return (
    <section class="skins">
      <div class="skins-head">
        <h2>{home.granted}</h2>
      </div>
      {wardrobe.capes.length === 0 ? (
        <Empty text={home.capesEmpty}>
          <ButtonLink href="/home">{home.toWardrobe}</ButtonLink>
        </Empty>
      ) : (
        <p class="soft">{skin === null ? home.capesHelpBare : home.capesHelp(skin.Name)}</p>
      )}
      <ul class="cards" aria-label={shell.capes}>
        {wardrobe.capes.map((cape) => (
          <CapeCard
            key={cape.Uuid}
            cape={cape}
            isWorn={cape.Uuid === player.cape}
            onWear={(next) => wearCape(shown, next)}
          />
        ))}
      </ul>
    </section>
  );
}

function CapeCard({
  cape,
  isWorn,
  onWear,
}: {
  readonly cape: Cape;
  readonly isWorn: boolean;
  /** Null: no cape. */
  readonly onWear: (cape: Cape | null) => unknown;
}) {
  const { home } = words.value;
  return (
    <li aria-current={isWorn || undefined}>
      <CardPicture address={(size) => capePicture(cape.Uuid, size)} />
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
        {isWorn ? (
          <Button label={home.takeOffThis(cape.Name)} onClick={() => onWear(null)}>
            {home.takeOff}
          </Button>
        ) : (
          <Button label={home.wearThis(cape.Name)} onClick={() => onWear(cape)}>
            {home.wear}
          </Button>
        )}
      </div>
    </li>
  );
}

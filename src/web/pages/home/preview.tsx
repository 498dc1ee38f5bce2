import { useId } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/form.tsx";
import { words } from "../../words/language.ts";
import { DressedFigure } from "./figures.tsx";
import { chosenPlayer, playerIn, type Cape, type Skin, type Wardrobe } from "./wardrobe-data.ts";
import { dressing } from "./wear.ts";

/** What a figure shows, after something was chosen in the list. */
export type Previewed = {
  readonly skin: Skin | null;
  readonly cape: Cape | null;
  /** The skin or the cape that the page is about. Null: nothing is worn, and nothing was chosen. */
  readonly thing: { readonly Uuid: string; readonly Name: string } | null;
  readonly isWorn: boolean;
};

type PreviewProps = {
  readonly wardrobe: Wardrobe;
  /** The side that is seen first. */
  readonly from: "front" | "back";
  readonly look: Previewed;
  /** The name of what is worn; null: nothing can be taken off. */
  readonly worn: string | null;
  readonly onWear: () => unknown;
  readonly onTakeOff: () => unknown;
  /** Shows what is worn again. */
  readonly onBack: () => void;
};

/**
 * The chosen player in what it wears, or in what was chosen in the list; and the choice of the player if
 * there are several.
 */
export function Preview({ wardrobe, from, look, onBack, ...actions }: PreviewProps) {
  const { home } = words.value;
  const id = useId();
  const player = playerIn(wardrobe);
  return (
    <section class="card preview" aria-labelledby={id}>
      <h2 id={id} class="heard">
        {home.preview}
      </h2>
      <DressedFigure player={player} skin={look.skin} cape={look.cape} from={from}>
        <div class="preview-side">
          <div class="preview-name">
            <strong class="card-name" dir="auto">
              {look.thing?.Name ?? player.name}
            </strong>
            {!look.isWorn && <Back onBack={onBack} />}
          </div>
          <PreviewActions look={look} {...actions} />
          <PlayerChoice wardrobe={wardrobe} />
        </div>
      </DressedFigure>
    </section>
  );
}

/**
 * Buttons that replace one another never share a place: a second tap would press the wrong one. "Take off"
 * means what the figure shows; while it shows something else, the place of that button stays empty, so
 * nothing moves.
 */
function PreviewActions({
  look,
  worn,
  onWear,
  onTakeOff,
}: Pick<PreviewProps, "look" | "worn" | "onWear" | "onTakeOff">) {
  const { home } = words.value;
  const { thing, isWorn } = look;
  const works = thing !== null && dressing.value === thing.Uuid;
  return (
    <>
      {thing !== null && (
        <Button kind={isWorn ? "plain" : "main"} works={works} busy={isWorn || works} onClick={onWear}>
          {isWorn ? home.worn : home.wear}
        </Button>
      )}
      {worn !== null && !isWorn && <div class="preview-place" />}
      {worn !== null && isWorn && (
        <Button label={home.takeOffThis(worn)} onClick={onTakeOff}>
          {home.takeOff}
        </Button>
      )}
    </>
  );
}

function Back({ onBack }: Pick<PreviewProps, "onBack">) {
  const { wardrobe } = words.value;
  const back = ({ currentTarget }: MouseEvent) => {
    // The button disappears, and the focus would go with it.
    if (currentTarget instanceof HTMLElement)
      currentTarget.closest("section")?.querySelector("canvas")?.focus({ preventScroll: true });
    onBack();
  };
  return (
    <Button label={wardrobe.backToWorn} onClick={back}>
      {wardrobe.back}
    </Button>
  );
}

function PlayerChoice({ wardrobe }: { readonly wardrobe: Wardrobe }) {
  const options = wardrobe.players.map(({ uuid, name }) => ({ value: uuid, text: name }));
  if (options.length < 2) return null;
  return (
    <Select
      label={words.value.home.player}
      name="player"
      options={options}
      value={playerIn(wardrobe).uuid}
      onChange={(uuid) => {
        chosenPlayer.value = uuid;
      }}
    />
  );
}

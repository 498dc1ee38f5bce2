import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Select } from "../../parts/form.tsx";
import { words } from "../../words/language.ts";
import { WornFigure } from "./figures.tsx";
import { capeIn, chosenPlayer, playerIn, skinIn, type Wardrobe } from "./wardrobe-data.ts";

/** What the chosen player wears, and which player that is where there are several. */
export function Preview({
  wardrobe,
  from,
  children,
}: {
  readonly wardrobe: Wardrobe;
  /** The side that is seen first. */
  readonly from: "front" | "back";
  readonly children?: ComponentChildren;
}) {
  const { home } = words.value;
  const id = useId();
  const player = playerIn(wardrobe);
  const options = wardrobe.players.map(({ uuid, name }) => ({ value: uuid, text: name }));
  return (
    <section class="card preview" aria-labelledby={id}>
      <h2 id={id}>{home.preview}</h2>
      <WornFigure
        player={player}
        skin={skinIn(wardrobe, player.skin)}
        cape={capeIn(wardrobe, player.cape)}
        from={from}
      />
      {options.length > 1 && (
        <Select
          label={home.player}
          name="player"
          options={options}
          value={player.uuid}
          onChange={(uuid) => {
            chosenPlayer.value = uuid;
          }}
        />
      )}
      {children}
    </section>
  );
}

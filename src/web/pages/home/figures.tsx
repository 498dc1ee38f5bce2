import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Model } from "../../../render/parts.ts";
import { bodyPicture, capeFile, capePicture, skinFile, wornSkinFile } from "../../api/textures.ts";
import type { Problem } from "../../api/problem.ts";
import { ProblemText } from "../../parts/problems.tsx";
import { askDefaultModel } from "../../viewer/default-skin.ts";
import { FigureWithControls } from "../../viewer/figure-with-controls.tsx";
import type { SkinFile } from "./skin-file.ts";
import { modelOf, type Cape, type Player, type Skin } from "./wardrobe-data.ts";

/** Pixels of width: half the height at which figures are shown. */
const pictureSize = 176;

type DressedFigureProps = {
  readonly player: Player;
  /** Null: a default skin. */
  readonly skin: Skin | null;
  readonly cape: Cape | null;
  readonly from: "front" | "back";
  /** Beside the figure. */
  readonly children: ComponentChildren;
};

/** A player in a skin and a cape, worn or not. */
export function DressedFigure({ player, skin, cape, from, children }: DressedFigureProps) {
  const defaultModel = useDefaultModel(skin === null ? player.uuid : null);
  // A skin without a file leaves its picture behind, so the next skin gets its own figure.
  const [flat, setFlat] = useState<string | null>(null);
  const shown = skin?.Uuid ?? player.uuid;
  const model = skin === null ? defaultModel : modelOf(skin);
  if (model === null)
    return (
      <div class="figure-box">
        <div class="figure" />
        {children}
      </div>
    );
  const picture =
    from === "back" && cape !== null ? capePicture(cape.Uuid, pictureSize) : bodyPicture(shown, pictureSize);
  return (
    <FigureWithControls
      key={flat === null || flat === shown ? "" : shown}
      name={skin?.Name ?? player.name}
      skin={skin === null ? wornSkinFile(player.uuid) : skinFile(skin.Uuid)}
      model={model}
      cape={cape === null ? null : capeFile(cape.Uuid)}
      from={from}
      picture={picture}
      isFolded
      onFlat={() => setFlat(shown)}
    >
      {children}
    </FigureWithControls>
  );
}

/** A skin of the wardrobe with other arms and another cape than it has yet. */
export function SkinFigure({
  skin,
  model,
  cape,
}: {
  readonly skin: Skin;
  readonly model: Model;
  /** The cape's UUID; empty: no cape. */
  readonly cape: string;
}) {
  return (
    <FigureWithControls
      name={skin.Name}
      skin={skinFile(skin.Uuid)}
      model={model}
      cape={cape === "" ? null : capeFile(cape)}
      picture={bodyPicture(skin.Uuid, pictureSize)}
      isFolded
    />
  );
}

/** A skin that was not sent yet, or why it cannot be shown. */
export function FileFigure({
  name,
  skin,
  model,
  problem,
}: {
  readonly name: string;
  readonly skin: SkinFile | null;
  readonly model: Model;
  readonly problem: Problem | null;
}) {
  if (skin === null)
    return (
      <div class={problem === null ? "figure" : "figure-problem"}>
        <ProblemText problem={problem} />
      </div>
    );
  return <FigureWithControls key={skin.picture} name={name} skin={skin.picture} model={model} isFolded />;
}

/** The arms of a player's default skin, as its file's header states them; null while they are not known. */
function useDefaultModel(player: string | null): Model | null {
  const [known, setKnown] = useState<{ readonly player: string; readonly model: Model } | null>(null);
  useEffect(() => {
    if (player === null) return;
    const asking = new AbortController();
    const ask = async () => {
      const model = await askDefaultModel(player, asking.signal);
      if (!asking.signal.aborted) setKnown({ player, model });
    };
    void ask();
    return () => asking.abort();
  }, [player]);
  return known !== null && known.player === player ? known.model : null;
}

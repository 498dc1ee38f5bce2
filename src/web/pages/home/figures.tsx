import { useEffect, useState } from "preact/hooks";
import type { Model } from "../../../render/parts.ts";
import { bodyPicture, capeFile, capePicture, skinFile, wornSkinFile } from "../../api/textures.ts";
import { askDefaultModel } from "../../viewer/default-skin.ts";
import { FigureWithControls } from "../../viewer/figure-with-controls.tsx";
import type { SkinFile } from "./skin-file.ts";
import { modelOf, type Cape, type Player, type Skin } from "./wardrobe-data.ts";

/** Pixels of width: half the height at which figures are shown. */
const pictureSize = 176;

type WornFigureProps = {
  readonly player: Player;
  /** Null: a default skin. */
  readonly skin: Skin | null;
  readonly cape: Cape | null;
  readonly from: "front" | "back";
};

/** What a player wears. */
export function WornFigure({ player, skin, cape, from }: WornFigureProps) {
  const defaultModel = useDefaultModel(skin === null ? player.uuid : null);
  const model = skin === null ? defaultModel : modelOf(skin);
  if (model === null) return <div class="figure" />;
  const back =
    from === "back" && cape !== null
      ? capePicture(cape.Uuid, pictureSize)
      : bodyPicture(skin?.Uuid ?? player.uuid, pictureSize);
  return (
    <FigureWithControls
      name={skin?.Name ?? player.name}
      skin={skin === null ? wornSkinFile(player.uuid) : skinFile(skin.Uuid)}
      model={model}
      cape={cape === null ? null : capeFile(cape.Uuid)}
      from={from}
      picture={back}
    />
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
    />
  );
}

/** A skin that was not sent yet; an empty place while there is no skin to show. */
export function FileFigure({
  name,
  skin,
  model,
}: {
  readonly name: string;
  readonly skin: SkinFile | null;
  readonly model: Model;
}) {
  if (skin === null) return <div class="figure" />;
  return <FigureWithControls key={skin.picture} name={name} skin={skin.picture} model={model} />;
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

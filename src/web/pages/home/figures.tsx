import type { Model } from "../../../render/parts.ts";
import type { SkinFile } from "./skin-file.ts";
import type { Cape, Player, Skin } from "./wardrobe-data.ts";
import { words } from "../../words/language.ts";

export function WornFigure({
  player,
  skin,
}: {
  readonly player: Player;
  readonly skin: Skin | null;
  readonly cape: Cape | null;
  readonly from: "front" | "back";
}) {
  return (
    <img
      src={`/api/skin/body/${player.uuid}?type=player&size=200&skin=${skin?.Uuid ?? ""}`}
      alt={`3D view of ${skin?.Name ?? words.value.home.defaultSkin}`}
    />
  );
}

export function SkinFigure({ skin }: { readonly skin: Skin; readonly model: Model; readonly cape: string }) {
  return <img src={`/api/skin/body/${skin.Uuid}?type=player&size=200`} alt={`3D view of ${skin.Name}`} />;
}

export function FileFigure({ skin }: { readonly skin: SkinFile | null; readonly model: Model }) {
  return <p>{skin?.file.name}</p>;
}

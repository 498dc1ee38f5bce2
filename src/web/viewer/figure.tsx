import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Model } from "../../render/parts.ts";
import { words } from "../words/language.ts";
import type { AnimationName } from "./animations.ts";
import { FlatFront } from "./flat-front.tsx";
import { stillStance } from "./motion.ts";
import { loadTexture, type Texture } from "./texture.ts";
import { letTurn } from "./turning.ts";
import { createViewer, type Viewer } from "./viewer.ts";

export type FigureProps = {
  /** Whom or what it shows: the accessible name is "3D view of" it. */
  readonly name: string;
  readonly skin: Texture;
  readonly model: Model;
  readonly cape?: Texture | null;
  /** The side that is seen at first. */
  readonly from?: "front" | "back";
  /** What the figure does; null: it stands still. */
  readonly animation: AnimationName | null;
  readonly isPlaying: boolean;
  /** The address of the server's picture, for browsers without WebGL 2; left out for a skin that the server does not have. */
  readonly picture?: string;
  /** Gets the viewer once it is there, and null when a picture stands in its place. */
  readonly onViewer?: (viewer: Viewer | null) => void;
};

/** A player in three dimensions. It can be turned by dragging and by arrow keys; the page offers buttons for the same. */
export function Figure(props: FigureProps) {
  const { name, skin, model, animation, isPlaying, picture } = props;
  const label = words.value.player.view(name);
  const { canvas, viewer, isFlat } = useViewer(props);
  useEffect(() => {
    if (isPlaying) viewer?.animate(animation);
    else viewer?.pause();
  }, [viewer, animation, isPlaying]);
  if (!isFlat) return <canvas ref={canvas} class="figure" role="img" aria-label={label} tabIndex={0} />;
  if (picture !== undefined) return <img class="figure" src={picture} alt={label} />;
  if (typeof skin !== "string") return <FlatFront label={label} skin={skin} model={model} />;
  return <img class="figure" src={skin} alt={label} />;
}

function useViewer({ skin, model, cape = null, from = "front", onViewer }: FigureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [viewer, setViewer] = useState<Viewer | null>(null);
  const [isFlat, setFlat] = useState(false);
  useLayoutEffect(() => {
    const made = canvas.current && createViewer(canvas.current, () => setFlat(true));
    if (canvas.current === null || made === null) return setFlat(true);
    const stopTurning = letTurn(canvas.current, made);
    if (from === "back") made.pose({ ...stillStance, yaw: stillStance.yaw + 180 });
    setViewer(made);
    return () => {
      stopTurning();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    if (isFlat) setViewer(null);
  }, [isFlat]);
  useEffect(() => {
    if (viewer !== null || isFlat) onViewer?.(viewer);
  }, [viewer, isFlat]);
  useEffect(() => {
    if (viewer === null) return;
    const loading = new AbortController();
    const load = (texture: Texture) => loadTexture(texture, loading.signal);
    void (async () => {
      try {
        const [skinPicture, capePicture] = await Promise.all([load(skin), cape === null ? null : load(cape)]);
        if (!loading.signal.aborted) viewer.show({ skin: skinPicture, model, cape: capePicture });
      } catch {
        if (!loading.signal.aborted) setFlat(true);
      }
    })();
    return () => loading.abort();
  }, [viewer, skin, model, cape]);
  return { canvas, viewer, isFlat };
}

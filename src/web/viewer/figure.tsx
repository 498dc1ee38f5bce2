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
  /**
   * The address of the server's picture, for browsers without WebGL 2; left out for a skin that the server
   * does not have.
   */
  readonly picture?: string;
  /** The address of a picture that the page shows already: it stays until the figure is there. */
  readonly standIn?: string;
  /** Gets the viewer once it is there, and null when a picture stands in its place. */
  readonly onViewer?: (viewer: Viewer | null) => void;
};

/**
 * A player in three dimensions. It can be turned by dragging and by arrow keys; the page offers buttons for
 * the same.
 */
export function Figure(props: FigureProps) {
  const { name, skin, model, animation, isPlaying, picture, standIn } = props;
  const label = words.value.player.view(name);
  const { canvas, viewer, state } = useViewer(props);
  usePaper(canvas, viewer);
  useEffect(() => {
    if (isPlaying) viewer?.animate(animation);
    else viewer?.pause();
  }, [viewer, animation, isPlaying]);
  if (state === "flat") {
    const address = picture ?? skin;
    if (typeof address === "string") return <img class="figure" src={address} alt={label} />;
    return <FlatFront label={label} skin={address} model={model} />;
  }
  return (
    <div class="figure">
      {state === "loading" && standIn !== undefined && <img src={standIn} alt="" />}
      <canvas ref={canvas} role="img" aria-label={label} tabIndex={0} />
    </div>
  );
}

/** While the page is printed, a copy stands in the place of the figure. */
function usePaper(canvas: { readonly current: HTMLCanvasElement | null }, viewer: Viewer | null): void {
  useEffect(() => {
    if (viewer === null) return;
    const paper = document.createElement("canvas");
    paper.className = "figure-paper";
    const lay = () => {
      viewer.copyTo(paper);
      canvas.current?.after(paper);
    };
    const remove = () => paper.remove();
    addEventListener("beforeprint", lay);
    addEventListener("afterprint", remove);
    return () => {
      removeEventListener("beforeprint", lay);
      removeEventListener("afterprint", remove);
      remove();
    };
  }, [viewer]);
}

function useViewer({ skin, model, cape = null, from = "front", onViewer }: FigureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [viewer, setViewer] = useState<Viewer | null>(null);
  const [state, setState] = useState<"loading" | "shown" | "flat">("loading");
  const setFlat = () => setState("flat");
  useLayoutEffect(() => {
    const made = canvas.current && createViewer(canvas.current, setFlat);
    if (canvas.current === null || made === null) return setFlat();
    const stopTurning = letTurn(canvas.current, made);
    if (from === "back") made.pose({ ...stillStance, yaw: stillStance.yaw + 180 });
    setViewer(made);
    return () => {
      stopTurning();
      made.dispose();
    };
  }, []);
  useEffect(() => {
    if (state === "flat") setViewer(null);
  }, [state]);
  useEffect(() => {
    if (viewer !== null || state === "flat") onViewer?.(viewer);
  }, [viewer, state]);
  useEffect(() => {
    if (viewer === null) return;
    const loading = new AbortController();
    const load = (texture: Texture) => loadTexture(texture, loading.signal);
    void (async () => {
      try {
        const [skinPicture, capePicture] = await Promise.all([load(skin), cape === null ? null : load(cape)]);
        if (loading.signal.aborted) return;
        viewer.show({ skin: skinPicture, model, cape: capePicture });
        setState("shown");
      } catch {
        if (!loading.signal.aborted) setFlat();
      }
    })();
    return () => loading.abort();
  }, [viewer, skin, model, cape]);
  return { canvas, viewer, state };
}

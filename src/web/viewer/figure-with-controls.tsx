import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Select } from "../parts/form.tsx";
import { words } from "../words/language.ts";
import { type AnimationName, animationNames } from "./animations.ts";
import { Figure, type FigureProps } from "./figure.tsx";
import type { Viewer } from "./viewer.ts";

/** Degrees of a press on a button. */
const step = 45;

type FigureWithControlsProps = Omit<FigureProps, "animation" | "isPlaying" | "onViewer"> & {
  /** Whether the buttons are behind one button. */
  readonly isFolded?: boolean;
  /** Learns whether a picture stands in the place of the figure. */
  readonly onFlat?: () => void;
  /** Between the figure and the buttons. */
  readonly children?: ComponentChildren;
};

/**
 * A figure with buttons that turn it and stop it, and a choice of what it does. For visitors who ask for less
 * motion it stands still until they start it.
 */
export function FigureWithControls({
  isFolded = false,
  onFlat,
  children,
  ...props
}: FigureWithControlsProps) {
  const { player, wardrobe } = words.value;
  // Undefined: not there yet, and the controls keep its place; null: a picture stands in its place.
  const [viewer, setViewer] = useState<Viewer | null>();
  const [isOpen, setOpen] = useState(!isFolded);
  const [animation, setAnimation] = useState<AnimationName>("idle");
  const [isPlaying, setPlaying] = useState(() => !matchMedia("(prefers-reduced-motion: reduce)").matches);
  const choose = (name: string) => {
    const chosen = animationNames.find((one) => one === name);
    if (chosen === undefined) return;
    setAnimation(chosen);
    setPlaying(true);
  };
  const take = (made: Viewer | null) => {
    setViewer(made);
    if (made === null) onFlat?.();
  };
  return (
    <div class="figure-box">
      <Figure {...props} animation={animation} isPlaying={isPlaying} onViewer={take} />
      {children}
      {viewer !== null && isFolded && (
        <Button isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
          {wardrobe.moves}
        </Button>
      )}
      {viewer !== null && isOpen && (
        <div class="figure-controls">
          <Button onClick={() => viewer?.turn(step, 0, "smoothly")}>{player.turnLeft}</Button>
          <Button onClick={() => viewer?.turn(-step, 0, "smoothly")}>{player.turnRight}</Button>
          <Button onClick={() => setPlaying(!isPlaying)}>{isPlaying ? player.pause : player.play}</Button>
          <Select
            label={player.animation}
            name="animation"
            options={animationNames.map((value) => ({ value, text: player.animations[value] }))}
            value={animation}
            onChange={choose}
          />
        </div>
      )}
    </div>
  );
}

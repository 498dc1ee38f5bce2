import { useLayoutEffect, useRef } from "preact/hooks";
import { bodyPicture } from "../../api/textures.ts";
import { Button } from "../../parts/button.tsx";
import { CardPicture } from "../../parts/card-picture.tsx";
import { holdRemoval, removals } from "../../shell/removals.ts";
import { words } from "../../words/language.ts";
import { keep } from "./deletion.ts";
import { modelOf, type Cape, type Skin } from "./wardrobe-data.ts";
import { dressing } from "./wear.ts";

type SkinCardProps = {
  readonly skin: Skin;
  readonly cape: Cape | null;
  readonly isWorn: boolean;
  /** Whether the figure shows it. */
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onWear: () => unknown;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
};

/**
 * A skin of the wardrobe. While its deletion can be undone, it stays in its place, and so does everything
 * around it.
 */
export function SkinCard({ skin, cape, isWorn, isShown, onShow, onWear, onEdit, onDelete }: SkinCardProps) {
  const { home, shell, wardrobe } = words.value;
  const card = useRef<HTMLLIElement>(null);
  const isLeaving = removals.value.has(skin.Uuid);
  const beforeKeep = useFocus(card, isLeaving, skin.Uuid);
  return (
    <li
      ref={card}
      class={isLeaving ? "card-leaving" : undefined}
      aria-current={isWorn || undefined}
      // A second tap where Delete was leaves the focus on Undo.
      onMouseDown={(event) => isLeaving && event.preventDefault()}
    >
      {isLeaving && <Leaving skin={skin} beforeKeep={beforeKeep} />}
      <button
        type="button"
        class="card-show"
        aria-label={wardrobe.show(skin.Name)}
        aria-pressed={isShown}
        disabled={isLeaving}
        onClick={onShow}
      >
        <SkinPicture skin={skin} />
      </button>
      <div>
        <h3 class="card-name" dir="auto">
          {skin.Name}
        </h3>
        <p class="card-facts">
          {isWorn && <strong class="worn">{home.worn} · </strong>}
          {home.models[modelOf(skin)]}
          {skin.Hd && ` · ${home.hd}`}
        </p>
        {cape !== null && (
          <p class="card-facts card-name" dir="auto">
            {home.withCape(cape.Name)}
          </p>
        )}
      </div>
      <div class="card-actions">
        <Button
          label={home.wearThis(skin.Name)}
          works={dressing.value === skin.Uuid}
          busy={isWorn || dressing.value === skin.Uuid}
          onClick={onWear}
        >
          {home.wear}
        </Button>
        <Button label={shell.editThing(skin.Name)} onClick={onEdit}>
          {shell.edit}
        </Button>
        <Button kind="danger" label={shell.deleteThing(skin.Name)} onClick={onDelete}>
          {shell.delete}
        </Button>
      </div>
    </li>
  );
}

/**
 * Lies over the picture. A second tap at the place of Delete does nothing, and one at the place of Undo shows
 * the skin, which is harmless.
 */
function Leaving({ skin, beforeKeep }: { readonly skin: Skin; readonly beforeKeep: () => void }) {
  const { shell, wardrobe } = words.value;
  const hold = (by: "pointer" | "focus", isHeld: boolean) => () => holdRemoval(skin.Uuid, by, isHeld);
  const undo = () => {
    beforeKeep();
    keep(skin);
  };
  return (
    <div
      class="card-undo"
      onPointerEnter={hold("pointer", true)}
      onPointerLeave={hold("pointer", false)}
      onFocusIn={hold("focus", true)}
      onFocusOut={hold("focus", false)}
    >
      <p>{wardrobe.removed}</p>
      <Button label={wardrobe.undoThing(skin.Name)} onClick={undo}>
        {shell.undo}
      </Button>
    </div>
  );
}

/**
 * Keeps the focus near: on Undo when the card is being deleted, on its picture after Undo, and on a neighbour
 * after the deletion. Another key press is harmless at these places. Returns a function to call before Undo.
 */
function useFocus(card: { readonly current: HTMLLIElement | null }, isLeaving: boolean, uuid: string) {
  const isKept = useRef(false);
  useLayoutEffect(() => {
    if (isLeaving && hasFocus(card.current)) {
      focusIn(card.current);
      // A finger or pointer moves on: the focus that it leaves does not stop the clock.
      holdRemoval(uuid, "focus", card.current?.querySelector(":focus-visible") !== null);
    }
    if (!isLeaving && isKept.current) focusIn(card.current);
    isKept.current = false;
  }, [isLeaving]);
  useLayoutEffect(
    () => () => {
      const { current } = card;
      if (!hasFocus(current)) return;
      if (!focusIn(current?.nextElementSibling) && !focusIn(current?.previousElementSibling))
        document.querySelector<HTMLElement>("main")?.focus();
    },
    [],
  );
  return () => {
    isKept.current = true;
  };
}

function hasFocus(card: HTMLElement | null): boolean {
  return card?.contains(document.activeElement) === true;
}

/** Puts the focus on a card's Undo, else on its picture. Returns whether there is such a card. */
function focusIn(card: Element | null | undefined): boolean {
  const target = card?.querySelector<HTMLElement>(".card-undo .button, .card-show");
  target?.focus({ preventScroll: true });
  return target !== null && target !== undefined;
}

/** Its address names the arms, because the browser keeps pictures for a while. */
function SkinPicture({ skin }: { readonly skin: Skin }) {
  return <CardPicture address={(size) => `${bodyPicture(skin.Uuid, size)}&arms=${modelOf(skin)}`} />;
}

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../words/language.ts";
import { Button } from "./button.tsx";

type DialogProps = {
  /** Its heading and accessible name. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/**
 * A dialog. The browser keeps the focus in it; afterwards the focus goes back to where it came from, or to
 * the new page. Escape closes it.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const onCloseNow = useRef(onClose);
  onCloseNow.current = onClose;
  useEffect(() => {
    const before = document.activeElement;
    const path = location.pathname;
    const shown = dialog.current;
    // A second Escape in a row closes a dialog without asking it (`cancel`).
    const leave = () => onCloseNow.current();
    shown?.addEventListener("close", leave);
    shown?.showModal();
    return () => {
      shown?.removeEventListener("close", leave);
      shown?.close();
      const isHere = location.pathname === path && before?.isConnected === true;
      const back = isHere ? before : document.querySelector("main");
      if (back instanceof HTMLElement) back.focus({ preventScroll: !isHere });
    };
  }, []);
  const close = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onCancel={close}>
      <div class="dialog-head">
        <h2 id={id} dir="auto">
          {title}
        </h2>
        <Button onClick={close}>{words.value.shell.close}</Button>
      </div>
      {children}
    </dialog>
  );
}

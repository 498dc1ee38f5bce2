import type { FunctionComponent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { mayAsk } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { words } from "../words/language.ts";
import { sayNotLoaded } from "./not-loaded.tsx";

type DialogOf = FunctionComponent<{ readonly onClose: () => void }>;

/** The button, and Ctrl or Cmd with K, that open "Go to". The dialog is loaded when it is first asked for. */
export function GoTo() {
  const [loaded, setLoaded] = useState<{ readonly Dialog: DialogOf } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const isOffered = mayAsk.value;
  const open = async () => {
    try {
      const { GoToDialog } = await import("./go-to-dialog.tsx");
      setLoaded({ Dialog: GoToDialog });
      setOpen(true);
    } catch {
      void sayNotLoaded();
    }
  };
  useLayoutEffect(() => {
    if (!isOffered) return;
    const press = (event: KeyboardEvent) => {
      // Another dialog comes first.
      if (!isShortcut(event) || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      void open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isOffered]);
  if (!isOffered) return null;
  return (
    <>
      <Button keys="Control+K Meta+K" onClick={open}>
        {words.value.shell.goTo}
      </Button>
      {isOpen && loaded !== null && <loaded.Dialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** On keyboards without Latin letters the place of the key counts. */
function isShortcut({ ctrlKey, metaKey, shiftKey, altKey, key, code }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !shiftKey && !altKey && (key.toLowerCase() === "k" || code === "KeyK");
}

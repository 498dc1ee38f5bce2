import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { words } from "../words/language.ts";

/** A removal that waits while its message offers Undo. */
type Pending = {
  /** Sends the request, with `keepalive`: the page may be going away. Resolves when the answer was dealt with. */
  readonly commit: () => Promise<void>;
  readonly undo: () => void;
};

type Message = { readonly text: string; readonly isBad: boolean; readonly pending: Pending | null };

const message = signal<Message | null>(null);
/** Removals whose answers have not come yet. */
const sending = new Set<Promise<void>>();
/** How long a message stays, and a removal waits. Long enough to read it and to reach the button. */
const shownMs = 10_000;

/** Says what was done, in the one place where screen readers listen for it. */
export function say(text: string): void {
  replace({ text, isBad: false, pending: null });
}

/** Says what did not work, where no form is there to say it. */
export function sayBad(text: string): void {
  replace({ text, isBad: true, pending: null });
}

/**
 * Says that something was removed, and offers to take that back. The request is sent after ten seconds, or at once when another
 * message comes or the page is left.
 */
export function sayUndoable(text: string, pending: Pending): void {
  replace({ text, isBad: false, pending });
}

/** Sends what still waits. Resolves when all removals were answered. */
export async function settle(): Promise<void> {
  const before = message.peek();
  if (before?.pending) {
    message.value = null;
    const sent = before.pending.commit();
    sending.add(sent);
    void sent.finally(() => sending.delete(sent));
  }
  await Promise.all(sending);
}

function replace(next: Message): void {
  void settle();
  message.value = next;
}

addEventListener("pagehide", () => void settle());

/** The message that is shown, if there is one. Its time stands still while the pointer or the focus is in it. */
export function Messages() {
  const shown = message.value;
  const isHeld = useRef(false);
  useEffect(() => {
    if (shown === null) return;
    let left = shownMs;
    const step = 250;
    const timer = setInterval(() => {
      if (!isHeld.current) left -= step;
      if (left > 0) return;
      void settle();
      if (message.peek() === shown) message.value = null;
    }, step);
    return () => {
      isHeld.current = false;
      clearInterval(timer);
    };
  }, [shown]);
  const hold = (held: boolean) => () => void (isHeld.current = held);
  const undo = () => {
    message.value = null;
    shown?.pending?.undo();
  };
  return (
    <div
      class="messages"
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocusIn={hold(true)}
      onFocusOut={hold(false)}
    >
      <div role="status">{shown !== null && !shown.isBad && <p class="message">{shown.text}</p>}</div>
      <div role="alert">{shown?.isBad === true && <p class="message message-bad">{shown.text}</p>}</div>
      {shown !== null && shown.pending !== null && <Button onClick={undo}>{words.value.shell.undo}</Button>}
    </div>
  );
}

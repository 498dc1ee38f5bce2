import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

type Message = {
  readonly text: string;
  /** `heard`: the page shows it already, and screen readers alone need the words. */
  readonly kind: "good" | "bad" | "heard";
};

const message = signal<Message | null>(null);
/** How long a message stays. Long enough to read it. */
const shownMs = 10_000;

/** Says what was done, in the one place where screen readers listen for it. */
export function say(text: string): void {
  message.value = { text, kind: "good" };
}

/** Says what did not work, where no form is there to say it. */
export function sayBad(text: string): void {
  message.value = { text, kind: "bad" };
}

/** Says to screen readers what everyone else sees where it happened. */
export function sayHeard(text: string): void {
  message.value = { text, kind: "heard" };
}

/**
 * The message that is shown, if there is one. Its time stands still while the pointer or the focus is in it.
 */
export function Messages() {
  const shown = message.value;
  const isHeld = useRef(false);
  useEffect(() => {
    if (shown === null) return;
    let left = shownMs;
    const step = 250;
    const timer = setInterval(() => {
      if (!isHeld.current) left -= step;
      if (left <= 0 && message.peek() === shown) message.value = null;
    }, step);
    return () => {
      isHeld.current = false;
      clearInterval(timer);
    };
  }, [shown]);
  const hold = (held: boolean) => () => void (isHeld.current = held);
  return (
    <div class="messages" onPointerEnter={hold(true)} onPointerLeave={hold(false)}>
      <div role="status" class={shown?.kind === "heard" ? "heard" : undefined}>
        {shown !== null && shown.kind !== "bad" && <p class="message">{shown.text}</p>}
      </div>
      <div role="alert">{shown?.kind === "bad" && <p class="message message-bad">{shown.text}</p>}</div>
    </div>
  );
}

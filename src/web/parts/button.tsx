import type { ComponentChildren } from "preact";

/** `main`: the one action that the page is for. `danger`: it removes something. */
export type ButtonKind = "main" | "plain" | "danger";

type ButtonProps = {
  readonly kind?: ButtonKind;
  readonly type?: "button" | "submit";
  /** The accessible name, where the text alone names no thing: "Wear Ember". It must begin with the text. */
  readonly label?: string;
  /** It stays in reach of the keyboard, says that it is busy, and does nothing. */
  readonly busy?: boolean;
  /** Its own request is on its way: it is busy, and shows that it works. */
  readonly works?: boolean;
  /** Whether what it opens on the page is open; left out for a button that opens nothing there. */
  readonly isOpen?: boolean;
  /** Keys that do the same, as `aria-keyshortcuts` has them. */
  readonly keys?: string;
  readonly onClick?: (event: MouseEvent) => unknown;
  readonly children: ComponentChildren;
};

export function Button({
  kind = "plain",
  type = "button",
  label,
  works = false,
  busy = works,
  isOpen,
  keys,
  onClick,
  children,
}: ButtonProps) {
  const click = (event: MouseEvent) => {
    if (!busy) onClick?.(event);
    else event.preventDefault();
  };
  return (
    <button
      type={type}
      class={`button button-${kind}`}
      aria-label={label}
      aria-disabled={busy || undefined}
      aria-busy={works || undefined}
      aria-expanded={isOpen}
      aria-keyshortcuts={keys}
      onClick={click}
    >
      {children}
    </button>
  );
}

/** A link that looks like a button: it leads to the page where the action is. */
export function ButtonLink({
  kind = "plain",
  href,
  download,
  children,
}: {
  readonly kind?: ButtonKind;
  readonly href: string;
  /** The name under which the browser keeps what the link leads to. */
  readonly download?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <a class={`button button-${kind}`} href={href} download={download}>
      {children}
    </a>
  );
}

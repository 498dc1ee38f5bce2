import { signal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { TargetedKeyboardEvent } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { isUnnamed, level, member, signOut, type Member } from "../api/session.ts";
import { headPicture } from "../api/textures.ts";
import { readStored, store } from "../stored.ts";
import { words } from "../words/language.ts";
import { say, sayBad } from "./messages.tsx";
import { settle } from "./removals.ts";

const faceKey = "cloakroom.face";

/**
 * When the face last changed here. It is in the picture's address, because browsers keep pictures for a
 * while.
 */
const changed = signal(readStored(faceKey) ?? "0");

/** Asks for the member's face again, here and on the pages that follow. */
export function faceChanged(): void {
  changed.value = String(Date.now());
  store(faceKey, changed.value);
}

/** Who is signed in, with a menu of what is theirs: https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/ */
export function MemberMenu() {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const now = member.value;
  if (now === null) return level.value === 0 ? null : <div class="member" />;
  return (
    <div class="member">
      <button
        type="button"
        class="member-button"
        popovertarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onKeyDown={openByArrow}
      >
        {!isUnnamed.value && (
          <img src={`${headPicture(now.uuid, 64)}&of=${changed.value}`} alt="" width="28" height="28" />
        )}
        <span dir="auto">{nameOf(now)}</span>
      </button>
      <Menu id={id} member={now} onToggle={setOpen} />
    </div>
  );
}

/** A member without a name yet has an address. */
const nameOf = ({ username, mail }: Member) => username || mail;

function openByArrow(event: TargetedKeyboardEvent<HTMLButtonElement>): void {
  const menu = event.currentTarget.nextElementSibling;
  if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || !(menu instanceof HTMLElement)) return;
  event.preventDefault();
  menu.showPopover();
}

type MenuProps = {
  readonly id: string;
  readonly member: Member;
  readonly onToggle: (isOpen: boolean) => void;
};

/** The browser closes it on Escape, and on a press beside it. */
function Menu({ id, member, onToggle }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const leave = useSignOut();
  const { shell, wardrobe } = words.value;
  const item = { role: "menuitem", tabIndex: -1, onClick: () => menu.current?.hidePopover() } as const;
  return (
    <div
      ref={menu}
      id={id}
      popover="auto"
      role="menu"
      class="member-menu"
      aria-label={nameOf(member)}
      onKeyDown={moveByKey}
      onBeforeToggle={({ newState }) => onToggle(newState === "open")}
      onToggle={({ newState, currentTarget }) => newState === "open" && itemsOf(currentTarget)[0]?.focus()}
    >
      {!isUnnamed.value && (
        <>
          <a {...item} href={`/u/${encodeURIComponent(member.username)}`}>
            {wardrobe.myPage}
          </a>
          <a {...item} href="/home/account">
            {shell.account}
          </a>
        </>
      )}
      <a {...item} href="/play">
        {shell.play}
      </a>
      <button {...item} type="button" onClick={leave}>
        {shell.signOut}
      </button>
    </div>
  );
}

function itemsOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
}

/** Where a key leads, from the place of an item among so many. */
const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function moveByKey(event: TargetedKeyboardEvent<HTMLDivElement>): void {
  const { currentTarget: menu, key } = event;
  if (key === "Tab") menu.hidePopover();
  const step = steps[key];
  if (step === undefined) return;
  event.preventDefault();
  const items = itemsOf(menu);
  const at = items.findIndex((one) => one === document.activeElement);
  items[step(at, items.length)]?.focus();
}

function useSignOut(): () => Promise<void> {
  const { route } = useLocation();
  return async () => {
    const { shell } = words.peek();
    // What waits belongs to this session.
    await settle();
    if (!(await signOut())) return sayBad(shell.unreachable);
    route("/");
    say(shell.signedOut);
  };
}

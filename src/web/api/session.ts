import { computed, signal } from "@preact/signals";
import { readStored, store } from "../stored.ts";
import { allAnswered, api, ask, inBackground, onForbidden, onSignedOut, type Sending } from "./client.ts";
import type { components } from "./types.ts";

/** The person at this browser. */
export type Member = components["schemas"]["ConsoleSession"];

/**
 * `asking`: not known yet. Pages use the level of the last visit until then, so they draw and load at once.
 */
type Session =
  | { readonly state: "asking"; readonly levelGuess: number }
  | { readonly state: "guest" }
  | { readonly state: "member"; readonly member: Member }
  | { readonly state: "unreachable" };

const hintKey = "cloakroom.level";
const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("cloakroom.session");

export const session = signal<Session>({ state: "asking", levelGuess: Number(readStored(hintKey)) || 0 });

/** The member; null for guests, and while it is not known. */
export const member = computed(() => (session.value.state === "member" ? session.value.member : null));

/**
 * The level in force, or that of the last visit; 0 for guests. It guides drawing only: the server decides.
 */
export const level = computed(() => {
  const now = session.value;
  if (now.state === "member") return now.member.perms;
  return now.state === "asking" ? now.levelGuess : 0;
});

/**
 * Whether the member has no name yet: the server refuses everything but choosing one. A name from a social
 * sign-in counts.
 */
export const isUnnamed = computed(() => member.value?.username === "");

/** Whether to send requests of members: the server refuses those of guests and of unnamed members. */
export const mayAsk = computed(() => level.value > 0 && !isUnnamed.value);

/** Whether this browser has a session from before the server had https. Such a session no longer counts. */
export const isSignedInByHttp = signal(false);

/** Asks the server whose session this is. */
export async function askSession(sending: Sending = {}): Promise<void> {
  const result = await ask(api.GET("/console/session", sending));
  if (result.ok) isSignedInByHttp.value = result.body.url !== null;
  if (result.ok) setMember(result.body.data);
  else if (session.value.state === "asking") session.value = { state: "unreachable" };
}

/**
 * Uses a session that was just opened; null after one has ended. Other tabs load again if they show another
 * person.
 */
export function setMember(member: Member | null): void {
  // Without storage, pages wait for the answer.
  store(hintKey, member === null || member.username === "" ? null : String(member.perms));
  session.value = member === null ? { state: "guest" } : { state: "member", member };
  tabs?.postMessage(outline(member));
}

/** What other tabs learn: no secrets. */
function outline(member: Member | null): Outline {
  return member === null ? null : { id: member.id, isNamed: member.username !== "" };
}

type Outline = { readonly id: number; readonly isNamed: boolean } | null;

/** Ends the session here and on the server. Returns whether that worked. */
export async function signOut(): Promise<boolean> {
  await allAnswered();
  const result = await ask(api.DELETE("/console/session"));
  const isOver = result.ok || result.problem.kind === "signed-out";
  if (isOver) setMember(null);
  return isOver;
}

onSignedOut(() => {
  if (session.peek().state !== "guest") setMember(null);
});

onForbidden(() => void askSession(inBackground));

tabs?.addEventListener("message", ({ data }: MessageEvent<Outline>) => {
  const now = session.peek();
  // Not known yet: the answer under way may be outdated.
  if (now.state === "asking") return void askSession(inBackground);
  const own = now.state === "member" ? outline(now.member) : null;
  if (own?.id !== data?.id) return location.reload();
  // The registration was finished there.
  if (own?.isNamed === false && data?.isNamed === true) void askSession(inBackground);
});

/*
 * A browser may keep a page in memory after the visitor leaves, and show it again unchanged. The page is
 * hidden on leaving. It shows itself once the server has confirmed the same member; otherwise it loads again.
 */
addEventListener("pagehide", ({ persisted }) => hide(persisted));
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  hide(true);
  void showAgain();
});

async function showAgain(): Promise<void> {
  const before = member.peek();
  const result = await ask(api.GET("/console/session", inBackground));
  const now = result.ok ? result.body.data : null;
  const isSame = result.ok && now?.id === before?.id && now?.perms === before?.perms;
  if (!isSame || session.peek().state === "asking") return location.reload();
  setMember(now);
  hide(false);
}

function hide(isHidden: boolean): void {
  document.documentElement.hidden = isHidden;
}

import { useLocation } from "preact-iso";
import { useRef } from "preact/hooks";
import { api, ask } from "../api/client.ts";
import type { Result } from "../api/problem.ts";
import { level, member } from "../api/session.ts";
import { Combobox, type Choice } from "../parts/combobox.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { isSearchable } from "../parts/search-box.tsx";
import { words } from "../words/language.ts";
import { memberSections, staffSections } from "./sections.ts";

/**
 * Finds a page, one of the member's own players and skins, or, for staff, a user, and goes there. The value
 * of a choice is its path.
 */
export function GoToDialog({ onClose }: { readonly onClose: () => void }) {
  const { shell } = words.value;
  const { route } = useLocation();
  const own = useRef<Promise<Found> | null>(null);
  const find = async (text: string): Promise<Found> => {
    own.current ??= findOwn();
    const [mine, users] = await Promise.all([own.current, findUsers(text)]);
    if (!mine.ok) {
      // It is asked for again with the next letter.
      own.current = null;
      return mine;
    }
    if (!users.ok) return users;
    const wanted = text.trim().toLowerCase();
    const offered = [...pages(), ...mine.body].filter(({ text }) => text.toLowerCase().includes(wanted));
    const body = [...(wanted === "" ? pages() : offered), ...users.body].slice(0, choicesMax);
    return { ok: true, body };
  };
  return (
    <Dialog title={shell.goTo} onClose={onClose}>
      <div class="go-to">
        <Combobox
          label={shell.goToHelp}
          isFirst
          find={find}
          onChoose={({ value }) => {
            onClose();
            route(value);
          }}
        />
      </div>
    </Dialog>
  );
}

/** More would be scrolled through, not chosen from. */
const choicesMax = 30;

type Found = Result<readonly Choice[]>;

function pages(): readonly Choice[] {
  const { shell } = words.peek();
  const ofMembers = memberSections.map(({ name, path }) => ({
    value: path,
    text: shell[name],
    help: shell.kinds.page,
  }));
  const ofStaff = staffSections
    .filter((section) => section.level <= level.peek())
    .map(({ name, path }) => ({ value: path, text: shell.staffSections[name], help: shell.administration }));
  return [...ofMembers, ...ofStaff];
}

/** The member's own players and skins. A member without a name has neither. */
async function findOwn(): Promise<Found> {
  if (member.peek()?.username === "") return { ok: true, body: [] };
  const [home, players] = await Promise.all([ask(api.GET("/api/home")), ask(api.GET("/api/home/players"))]);
  if (!home.ok) return home;
  if (!players.ok) return players;
  const { shell } = words.peek();
  const body = [
    ...players.body.data.players.map(({ name }) => ({
      value: `/u/${encodeURIComponent(name)}`,
      text: name,
      help: shell.kinds.player,
    })),
    ...home.body.data.Skin.toReversed().map(({ Name, Uuid }) => ({
      value: `/home?q=${encodeURIComponent(Name)}#${Uuid}`,
      text: Name,
      help: shell.kinds.skin,
    })),
  ];
  return { ok: true, body };
}

async function findUsers(text: string): Promise<Found> {
  const q = text.trim();
  if (level.peek() < 2 || !isSearchable(q)) return { ok: true, body: [] };
  const found = await ask(api.GET("/api/admin/users", { params: { query: { q, limit: 10, count: 1 } } }));
  if (!found.ok) return found;
  const { shell } = words.peek();
  const body = found.body.data.map(({ id, username, mail }) => ({
    value: `/admin/users/${id}`,
    text: username === "" ? mail : username,
    help: shell.kinds.user,
  }));
  return { ok: true, body };
}

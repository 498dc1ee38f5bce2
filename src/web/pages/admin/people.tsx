import { api, ask } from "../../api/client.ts";
import type { Result } from "../../api/problem.ts";
import { headPicture } from "../../api/textures.ts";
import { Badge } from "../../parts/badge.tsx";
import type { Choice } from "../../parts/combobox.tsx";
import { isSearchable } from "../../parts/search-box.tsx";
import { words } from "../../words/staff-pages.ts";
import { showMoment } from "../../words/format.ts";

/** How people are shown on the pages for staff. */

/** The name; before there is one the mail address, or else the number. */
export function nameOf(user: {
  readonly id: number;
  readonly username: string;
  readonly mail: string;
}): string {
  return user.username || user.mail || words.value.admin.userNumber(user.id);
}

export type LevelState = {
  readonly perms: number;
  readonly perms_expires_at: number | null;
};

/** The level in force, and until when. Players have none to show. */
export function LevelText({ of }: { readonly of: LevelState }) {
  const { admin } = words.value;
  const end = of.perms_expires_at === null ? null : admin.until(showMoment(of.perms_expires_at));
  return (
    <>
      {levelName(of.perms)} {end !== null && <span class="soft">{end}</span>}
    </>
  );
}

export function levelName(level: number): string {
  const { admin } = words.value;
  if (level === 3) return admin.levels.administrator;
  return level === 2 ? admin.levels.moderator : admin.levels.player;
}

/** Whether the mail address is known to be theirs. */
export function MailState({ isVerified }: { readonly isVerified: boolean }) {
  const { admin } = words.value;
  return isVerified ? (
    <Badge mood="good" text={admin.verified} />
  ) : (
    <Badge mood="warn" text={admin.unverified} />
  );
}

/**
 * A player's head. The name stands beside it. Null: there is no player, because the registration is not
 * finished.
 */
export function Head({ uuid, size }: { readonly uuid: string | null; readonly size: number }) {
  if (uuid === null) return <svg class="head no-head" width={size} height={size} aria-hidden="true" />;
  return (
    <img class="head" src={headPicture(uuid, size * 2)} alt="" width={size} height={size} loading="lazy" />
  );
}

/**
 * People by a part of their name or address; without a text the first ones. A text that is too short finds
 * nothing.
 */
export async function findUsers(text: string): Promise<Result<readonly Choice[]>> {
  if (text !== "" && !isSearchable(text)) return { ok: true, body: [] };
  const query = { limit: 8, count: 1, ...(text !== "" && { q: text }) };
  const result = await ask(api.GET("/api/admin/users", { params: { query } }));
  if (!result.ok) return result;
  return { ok: true, body: result.body.data.map(choiceOf) };
}

/** A person as a choice, told apart from others by the address. */
export function choiceOf(user: Parameters<typeof nameOf>[0]): Choice {
  const { id, username, mail } = user;
  return { value: String(id), text: nameOf(user), ...(username !== "" && mail !== "" && { help: mail }) };
}

import { api, ask } from "../../api/client.ts";
import type { Result } from "../../api/problem.ts";
import type { Choice } from "../../parts/combobox.tsx";
import { isSearchable } from "../../parts/search-box.tsx";
import { nameOf } from "./people.tsx";

/** What fields for people and capes offer: what fits a text, or the first ones without a text. A text that is too short for a search finds nothing. */

function queryOf(text: string) {
  return { limit: 8, count: 1, ...(text !== "" && { q: text }) };
}

export async function findUsers(text: string): Promise<Result<readonly Choice[]>> {
  if (text !== "" && !isSearchable(text)) return { ok: true, body: [] };
  const result = await ask(api.GET("/api/admin/users", { params: { query: queryOf(text) } }));
  if (!result.ok) return result;
  const body = result.body.data.map((user) => ({
    value: String(user.id),
    text: nameOf(user),
    ...(user.username !== "" && user.mail !== "" && { help: user.mail }),
  }));
  return { ok: true, body };
}

/** A cape, with how many people own it. */
export type CapeChoice = Choice & { readonly owners: number };

export async function findCapes(text: string): Promise<Result<readonly CapeChoice[]>> {
  if (text !== "" && !isSearchable(text)) return { ok: true, body: [] };
  const result = await ask(api.GET("/api/admin/allcapes", { params: { query: queryOf(text) } }));
  if (!result.ok) return result;
  const body = result.body.data.map(({ uuid, name, owners_count: owners }) => ({
    value: uuid,
    text: name,
    owners,
  }));
  return { ok: true, body };
}

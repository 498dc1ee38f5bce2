import { api, ask } from "../../api/client.ts";
import type { Result } from "../../api/problem.ts";
import type { Choice } from "../../parts/combobox.tsx";
import { isSearchable } from "../../parts/search-box.tsx";

/** A cape, with how many people own it. */
export type CapeChoice = Choice & { readonly owners: number };

/** Capes by a part of their name; without a text the first ones. A text that is too short finds nothing. */
export async function findCapes(text: string): Promise<Result<readonly CapeChoice[]>> {
  if (text !== "" && !isSearchable(text)) return { ok: true, body: [] };
  const query = { limit: 8, count: 1, ...(text !== "" && { q: text }) };
  const result = await ask(api.GET("/api/admin/allcapes", { params: { query } }));
  if (!result.ok) return result;
  const body = result.body.data.map(({ uuid, name, owners_count: owners }) => ({
    value: uuid,
    text: name,
    owners,
  }));
  return { ok: true, body };
}

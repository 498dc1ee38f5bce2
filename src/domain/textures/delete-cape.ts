import type { Uuid } from "../../kernel/ids.ts";
import { refusals } from "../model/refusals.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";
import { releaseTextures, type DropFiles } from "./files.ts";
import type { Cape } from "../model/texture.ts";

type Deps = { readonly transact: Transact; readonly dropFiles: DropFiles };

/**
 * Removes a cape with its grants, and takes it off every skin. Its file goes when nothing else refers to
 * it. Administrators may. Writes audit. Fails with not_found.
 */
export async function deleteCape(deps: Deps, actor: Actor, uuid: Uuid): Promise<Cape> {
  const { cape, freed } = await deps.transact(actor, async ({ textures, audit }) => {
    const found = await textures.findCape({ by: "uuid", value: uuid });
    if (found === null) throw refusals.unknownCape(uuid);
    const { id, name, texture } = found;
    const owners = await textures.countOwners(id);
    await textures.deleteCape(id);
    const detail = { old: { capeid: uuid, id, name, sha256: texture.digest, owners_count: owners } };
    audit("cape.delete", null, detail);
    return { cape: found, freed: await releaseTextures(textures, [texture.hash]) };
  });
  await deps.dropFiles(freed);
  return cape;
}

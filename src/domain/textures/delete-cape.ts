import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Uuid } from "../../kernel/ids.ts";
import type { Actor } from "../model/actor.ts";
import type { Transact } from "../ports/stores.ts";
import { releaseTextures, type DropFiles } from "./files.ts";
import type { Cape } from "../model/texture.ts";

type Deps = { readonly transact: Transact; readonly dropFiles: DropFiles; readonly clock: Clock };

/**
 * Removes a cape: nobody is granted it any more, and it is taken off every skin. Its file goes when nothing else refers to
 * it. Administrators may. Writes audit. Fails with not_found.
 */
export async function deleteCape(deps: Deps, actor: Actor, uuid: Uuid): Promise<Cape> {
  const { cape, freed } = await deps.transact(async ({ textures, audit }) => {
    const found = await textures.findCape({ by: "uuid", value: uuid });
    if (found === null) throw new AppError("not_found", `capeid: there is no cape ${uuid}`);
    const { id, name, texture } = found;
    const owners = await textures.countOwners(id);
    await textures.deleteCape(id);
    const detail = { old: { capeid: uuid, id, name, sha256: texture.digest, owners_count: owners } };
    const at = deps.clock.nowSeconds();
    await audit.append({ actor, action: "cape.delete", forAccountId: null, at, detail });
    return { cape: found, freed: await releaseTextures(textures, [texture.hash]) };
  });
  await deps.dropFiles(freed);
  return cape;
}

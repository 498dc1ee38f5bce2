import type { SkinEdit } from "../domain/textures/edit-skin.ts";
import { readUuid } from "./fields.ts";

/** What of a skin a request changes; it is the same for its owner and for those who run the community. Fails with invalid. */
export function readSkinEdit(body: {
  readonly name?: string;
  readonly slim?: boolean;
  readonly cloakid?: string | null;
}): SkinEdit {
  const { name, slim, cloakid } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(slim === undefined ? {} : { model: slim ? "slim" : "classic" }),
    ...(cloakid === undefined
      ? {}
      : { cape: cloakid === null || cloakid === "" ? null : readUuid("cloakid", cloakid) }),
  };
}

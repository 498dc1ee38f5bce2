import { findMember } from "../domain/accounts/identifier.ts";
import { command } from "./command.ts";
import { identifier } from "./member-options.ts";
import { factsText, json, jsonText, tableText } from "./output.ts";
import { capeRecord, readable, skinRecord, userRecord } from "./records.ts";
import { withServices } from "./with-services.ts";

export const userShow = command({
  name: "user show",
  summary: "shows an account with its skins and capes",
  settings: "taken",
  positionals: { identifier },
  options: { json },
  run: async ({ identifier, json }, context) => {
    const { user, skins, capes } = await withServices(context, async ({ reads, clock }) => {
      const member = await findMember(reads.accounts, identifier);
      const { id } = member.account;
      const skins = await reads.textures.listSkins(id);
      const capes = await reads.textures.listGrantedCapes(id, clock.nowSeconds());
      return {
        user: userRecord(member, clock.nowSeconds()),
        skins: skins.map((skin) => skinRecord(skin, skin.id === member.player?.selectedSkinId)),
        capes: capes.map(capeRecord),
      };
    });
    if (json) return context.io.out(jsonText({ ...user, skins, capes }));
    context.io.out(factsText(readable(user)));
    if (skins.length > 0) context.io.out(`\n${skinTable(skins)}`);
    if (capes.length > 0) context.io.out(`\n${tableText(["cape", "uuid", "name"], capes.map(capeRow))}`);
  },
});

function skinTable(skins: readonly ReturnType<typeof skinRecord>[]): string {
  const rows = skins.map(({ id, uuid, name, slim, width, height, selected }) => {
    const model = slim ? "slim" : "classic";
    return [String(id), uuid, name, model, `${width}x${height}`, selected ? "selected" : ""];
  });
  return tableText(["skin", "uuid", "name", "model", "size", ""], rows);
}

function capeRow({ id, uuid, name }: ReturnType<typeof capeRecord>): string[] {
  return [String(id), uuid, name];
}

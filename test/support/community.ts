import type { Bitmap } from "../../src/render/bitmap.ts";
import { encodePng } from "../../src/render/png-encode.ts";
import { drawKeyCape, drawNightCape } from "../../tools/art/capes.ts";
import { drawDiver } from "../../tools/art/diver.ts";
import { drawKeeper } from "../../tools/art/keeper.ts";
import { drawScout } from "../../tools/art/scout.ts";
import { drawUsher } from "../../tools/art/usher.ts";
import type { Harness } from "./harness.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "./members.ts";

/** A small community with something on every page of the console. */
export type Community = {
  /** Level 3, 2 and 1. */
  readonly chief: Member;
  readonly warden: Member;
  readonly player: Member;
  readonly others: readonly Member[];
};

const names = ["Ember", "Wren", "Juno", "Pike", "Sable", "Quill", "Tansy"];

/** Orders of the colour channels, which turn one drawing into several skins. */
const orders = [
  [0, 1, 2],
  [2, 0, 1],
  [1, 2, 0],
] as const;

/** Members of all levels with skins, two capes, an audit log and a mailing. */
export async function fillCommunity(harness: Harness): Promise<Community> {
  const chief = await addMember(harness, "Marlow", { level: 3 });
  const warden = await addMember(harness, "Linden", { level: 2 });
  const player = await addMember(harness, "Robin");
  const others: Member[] = [];
  for (const name of names) others.push(await addMember(harness, name));
  const drawn = [drawUsher(), drawKeeper(), drawScout(), drawDiver()];
  const files = orders.flatMap((order) => drawn.map((sheet) => encodePng(withChannels(sheet, order))));
  for (const [at, member] of [chief, warden, ...others].entries())
    await addSkin(harness, member, {
      file: files[(at + 1) % files.length] ?? skinOf(files),
      name: "Everyday",
    });
  const worn = await addSkin(harness, player, { file: skinOf(files), name: "Usher" });
  for (const [at, name] of ["Keeper", "Scout", "Diver", "Autumn", "Lagoon"].entries())
    await addSkin(harness, player, { file: files[at + 1] ?? skinOf(files), name });
  const founders = await grantCape(harness, [player, chief], encodePng(drawKeyCape()));
  await grantCape(harness, [player, warden], encodePng(drawNightCape()), "Night watch");
  await wearCape(harness, player, worn, founders);
  await act(harness, chief, `PATCH /api/admin/user/${warden.account.id}`, { mail_verify: true });
  await act(harness, chief, "POST /api/admin/mail", {
    subject: "The server moves on Friday",
    message: "Hello,\n\nfrom Friday on you find us at the new address.\n\nSee you there!",
  });
  return { chief, warden, player, others };
}

function skinOf(files: readonly Uint8Array[]): Uint8Array {
  const [first] = files;
  if (first === undefined) throw new Error("there is no drawing");
  return first;
}

function withChannels(sheet: Bitmap, order: readonly [number, number, number]): Bitmap {
  const data = sheet.data.slice();
  for (let at = 0; at < data.length; at += 4)
    for (const [to, from] of order.entries()) data[at + to] = sheet.data[at + from] ?? 0;
  return { ...sheet, data };
}

async function act(harness: Harness, member: Member, request: string, json: unknown): Promise<void> {
  const [method = "", path = ""] = request.split(" ");
  const headers = { authorization: member.authorization, "content-type": "application/json" };
  const answer = await harness.fetch(path, { method, headers, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`${request}: ${await answer.text()}`);
}

import { openHarness } from "./harness.ts";
import { addMember, addSkin, grantCape, wearCape, type Member } from "./members.ts";
import type { Scenario } from "./scenario.ts";
import { capePng, sha256, skinPng } from "./textures.ts";

/**
 * A service with staff and what they moderate: Alice wears a slim skin and keeps an HD one with a cape, Bob
 * has an old one and a cape of his own.
 */
export async function openModeratedSkins() {
  const harness = await openHarness();
  const chief = await addMember(harness, "Chief", { level: 3 });
  const moderator = await addMember(harness, "Moderata", { level: 2 });
  const alice = await addMember(harness, "Alice");
  const bob = await addMember(harness, "Bob");
  const unready = await addMember(harness, "unready", { finished: false });
  const cape = await grantCape(harness, [alice], capePng(1));
  const bobsCape = await grantCape(harness, [bob], capePng(2));
  const first = await addSkin(harness, alice, { file: skinPng(1), slim: "true", name: "First" });
  const hd = await addSkin(harness, alice, { file: skinPng(2, { width: 128 }), slim: "false", name: "Fine" });
  const legacy = await addSkin(harness, bob, {
    file: skinPng(3, { width: 64, height: 32 }),
    name: "Old one",
  });
  await wearCape(harness, alice, hd, cape);

  const now = harness.clock.nowSeconds();
  const digestOf = async (uuid: string) =>
    sha256(await (await harness.fetch(`/api/skin/public/${uuid}`)).bytes());
  /** Asks as the moderator, who is answered. */
  const asking = (request: string, actor: Member = moderator): Scenario => ({
    name: "",
    actor,
    request,
    status: 200,
  });
  return {
    harness,
    now,
    chief,
    moderator,
    alice,
    bob,
    unready,
    cape,
    bobsCape,
    first,
    hd,
    legacy,
    digestOf,
    asking,
  };
}

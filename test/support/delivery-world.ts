import { newUuid } from "../../src/kernel/ids.ts";
import { openHarness, type HarnessOptions } from "./harness.ts";
import { addMember, addSkin, grantCape, wearCape } from "./members.ts";
import { bitmapHash, capePng, skinBitmap, skinPng } from "./textures.ts";

/**
 * A service in which there is something of everything to deliver: Alice wears a slim skin with a cape and
 * keeps an old and an HD one, Bare has chosen nothing, one user has not finished.
 */
export async function openDeliveryWorld(settings: HarnessOptions["settings"] = {}) {
  const harness = await openHarness({ settings });
  const alice = await addMember(harness, "Alice");
  const skin = await addSkin(harness, alice, { file: skinPng(1), slim: "true" });
  const cape = await grantCape(harness, [alice], capePng(1));
  await wearCape(harness, alice, skin, cape);
  return {
    harness,
    get: (path: string, headers: Readonly<Record<string, string>> = {}) => harness.fetch(path, { headers }),
    alice,
    bare: await addMember(harness, "Bare"),
    unfinished: await addMember(harness, "unfinished", { finished: false }),
    skin,
    skinHash: bitmapHash(skinBitmap(1)),
    legacySkin: await addSkin(harness, alice, { file: skinPng(2, { width: 64, height: 32 }) }),
    hdSkin: await addSkin(harness, alice, { file: skinPng(3, { width: 128 }) }),
    cape,
    /** An unknown uuid. */
    nobody: newUuid(),
  };
}

/** What follows a user may be a minute old in caches; what its address fixes is good for ever. */
export const caching = {
  follows: "public, max-age=60, stale-while-revalidate=600",
  immutable: "public, max-age=31536000, immutable",
} as const;

export function dashless(uuid: string): string {
  return uuid.replaceAll("-", "");
}

import { system } from "../../src/domain/model/actor.ts";
import { readJson, type Envelope } from "./answers.ts";
import type { Harness } from "./harness.ts";
import type { Member } from "./members.ts";
import { capePng } from "./textures.ts";

type Part = string | Uint8Array;

/** What an upload of a cape holds; a part may come several times, and undefined is none. */
export type CapeParts = Readonly<Record<string, Part | readonly Part[] | undefined>>;

/** A form with a sound cape and a name, unless the parts say otherwise. */
export function capeForm(parts: CapeParts = {}): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries({ cape: capePng(1), name: "Founders", ...parts })) {
    const isOne = value === undefined || typeof value === "string" || value instanceof Uint8Array;
    for (const one of isOne ? [value] : value) {
      if (typeof one === "string") made.append(name, one);
      else if (one !== undefined) made.append(name, new File([new Uint8Array(one)], "cape.bin"));
    }
  }
  return made;
}

export type UploadedCape = {
  readonly capeid: string;
  readonly id: number;
  readonly owners: readonly number[];
};

/** Uploads a cape as an administrator does. */
export async function uploadCape(
  harness: Harness,
  { authorization }: Member,
  parts: CapeParts,
): Promise<UploadedCape> {
  const sent = { method: "POST", headers: { authorization }, body: capeForm(parts) };
  const response = await harness.fetch("/api/admin/user/cape/upload", sent);
  if (!response.ok) throw new Error(`upload: ${await response.text()}`);
  return (await readJson<Envelope<UploadedCape>>(response)).data;
}

/** The ids of so many new accounts that cannot sign in. */
export function addAccounts({ services }: Harness, length: number): Promise<readonly number[]> {
  const fixed = {
    mail: null,
    registration: "unconfirmed",
    mailVerified: false,
    passwordHash: null,
    language: "en",
    createdAt: 1,
    permanentLevel: 1,
  } as const;
  return services.transact(system, async ({ accounts }) => {
    const ids: number[] = [];
    while (ids.length < length) {
      const uuid = crypto.randomUUID() as Member["account"]["uuid"];
      ids.push((await accounts.insertAccount({ ...fixed, uuid })).id);
    }
    return ids;
  });
}

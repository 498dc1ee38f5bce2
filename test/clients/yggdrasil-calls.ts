/** Calls of a launcher without a library. */
import { readJson } from "../support/answers.ts";
import type { GameWorld, Person, Profile } from "./game-world.ts";

export type Metadata = {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly skinDomains: readonly string[];
  readonly signaturePublickey: string;
};

export type SignedIn = {
  readonly accessToken: string;
  readonly clientToken: string;
  readonly availableProfiles: readonly Profile[];
  readonly selectedProfile?: Profile;
};

export async function readMetadata(root: string): Promise<Metadata> {
  return readJson<Metadata>(await fetch(root));
}

export function post(address: string, json: unknown): Promise<Response> {
  return fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(json),
  });
}

/** Signs in on the flat root, by the name of a player or the address of the account. */
export async function signInFlat(
  { root, hide }: GameWorld,
  person: Person,
  username: string,
): Promise<SignedIn> {
  const response = await post(`${root}/authenticate`, { username, password: person.password });
  const signedIn = await readJson<SignedIn>(response);
  hide(signedIn.accessToken);
  return signedIn;
}

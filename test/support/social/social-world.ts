import { readJson, type Envelope } from "../answers.ts";
import { openHarness, publicUrl, type Harness, type HarnessOptions } from "../harness.ts";
import type { LogLine } from "../collected-log.ts";
import type { Member } from "../members.ts";
import { send } from "../registration.ts";
import { openBrowser, type Browser } from "./browser.ts";
import { startOidcServer } from "./oidc-server.ts";
import { startProvider, type ProviderServer } from "./provider-server.ts";
import { clientId, clientSecret, discordShape, type ProviderShape } from "./provider-shapes.ts";

export const redirectUri = `${publicUrl}/auth/social/callback`;

/** The service with one provider beside it. Disposing of it fails when the provider minded anything. */
export type SocialWorld = AsyncDisposable & { readonly harness: Harness; readonly provider: ProviderServer };

export async function openSocialWorld(
  options: HarnessOptions & { readonly shape?: ProviderShape } = {},
): Promise<SocialWorld> {
  const shape = options.shape ?? discordShape;
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(startProvider(shape, redirectUri));
  const settings = { ...settingsOf(shape.name, provider.url), ...options.settings };
  const harness = opened.use(await openHarness({ ...options, settings, secrets: provider.secrets }));
  opened.defer(() => {
    const faults = provider.takeFaults();
    if (faults.length > 0) throw new Error(`the provider minded: ${faults.join(", ")}`);
  });
  const closing = opened.move();
  return { harness, provider, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** The service beside a certified provider that none of us wrote. */
export async function openOidcWorld() {
  await using opened = new AsyncDisposableStack();
  const oidc = opened.use(await startOidcServer(redirectUri));
  const { SOCIAL_OIDC_BASE_URL: _, ...ofProvider } = settingsOf("oidc", oidc.issuer);
  const settings = { ...ofProvider, SOCIAL_OIDC_ISSUER: oidc.issuer };
  const harness = opened.use(await openHarness({ settings, secrets: () => [clientSecret] }));
  const closing = opened.move();
  return { harness, oidc, settings, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** The settings of one provider at this address. */
export function settingsOf(name: string, baseUrl: string): Record<string, string> {
  const prefix = `SOCIAL_${name.toUpperCase()}`;
  return {
    SOCIAL_PROVIDERS: name,
    [`${prefix}_CLIENT_ID`]: clientId,
    [`${prefix}_CLIENT_SECRET`]: clientSecret,
    [`${prefix}_BASE_URL`]: baseUrl,
  };
}

export type SocialUser = {
  readonly id: string;
  readonly username: string;
  readonly avatar: string;
  readonly conn_id: number;
};
export type SignedIn = {
  readonly jwt: string;
  readonly userid: string;
  readonly username: string;
  readonly avatar: string;
};

/** Signs in through the default provider, all the way to the callback's answer. */
export async function signInSocially(
  { harness }: Pick<SocialWorld, "harness">,
  browser: Browser = openBrowser(harness),
): Promise<Response> {
  return (await browser.open(`${publicUrl}/auth/social/login`)).response;
}

/** Signs in somebody who is not linked, and gives what is needed to link them. */
export async function meet(world: Pick<SocialWorld, "harness">): Promise<SocialUser> {
  const response = await signInSocially(world);
  if (response.status !== 404) throw new Error(`${response.status} ${await response.text()}`);
  return (await readJson<Envelope<{ user: SocialUser }>>(response)).data.user;
}

/** What links or creates: the pair of a person's id and the connection's number. */
export function metaOf({ id, conn_id }: SocialUser): { readonly id: string; readonly conn_id: number } {
  return { id, conn_id };
}

export function create(harness: Harness, meta: unknown): Promise<Response> {
  return send(harness, "POST /api/auth/register/social", { meta });
}

/** Makes an account for the person who is at the provider now, and gives its token. */
export async function createAccount(world: Pick<SocialWorld, "harness">): Promise<string> {
  const response = await create(world.harness, metaOf(await meet(world)));
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await readJson<Envelope<{ jwt: string }>>(response)).data.jwt;
}

export function link(
  harness: Harness,
  { name, password }: Pick<Member, "name" | "password">,
  meta: unknown,
): Promise<Response> {
  return send(harness, "POST /api/auth/login/social", { username: name, password, meta });
}

/** The log line that belongs to an answer, by its request id. */
export function lineOf(harness: Harness, response: Response): LogLine | undefined {
  const id = response.headers.get("x-request-id");
  return harness.takeLog().find((line) => line["requestId"] === id);
}

let people = 0;
/** Puts somebody new at the provider, who is called `nelly` and their id; that id. */
export function newPerson({ provider }: SocialWorld, person: Readonly<Record<string, unknown>> = {}): string {
  const id = `1000${(people += 1)}`;
  provider.become(discordPerson({ id, username: `nelly${id}`, email: `nelly${id}@example.net`, ...person }));
  return id;
}

/** A Discord profile of somebody else. */
export function discordPerson(person: Readonly<Record<string, unknown>>): ProviderShape["profile"] {
  const [path = "", text = "{}"] = Object.entries(discordShape.profile)[0] ?? [];
  return { [path]: JSON.stringify({ ...JSON.parse(text), ...person }) };
}

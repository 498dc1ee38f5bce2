import { commandLine, system } from "../../src/domain/model/actor.ts";
import { secretOf, subscriptionNames, unsubscribeLinks } from "../../src/boot/secrets.ts";
import { serviceRights } from "../../src/domain/model/service-token.ts";
import { createToken } from "../../src/domain/services/tokens.ts";
import { checkAnswers } from "../support/answer-check.ts";
import { openDeliveryWorld } from "../support/delivery-world.ts";
import { jwtSecret, type Harness } from "../support/harness.ts";
import { addMember, type Member } from "../support/members.ts";

/** Who asks, as far as a request shows it. */
export type Actor = Pick<Member, "authorization">;

/** One request: who asks for what, with which body, and the status that it gets. */
export type Play = {
  readonly request: string;
  readonly status: number;
  readonly actor?: Actor;
  readonly json?: unknown;
  readonly form?: FormData;
};

/** Somebody and something of everything, in a service whose answers are all held against the document. */
export async function openWorld() {
  const world = await openDeliveryWorld({ SERVICE_API_TOKEN: "a service token that is long enough" });
  const { harness, alice, bare } = world;
  await link(harness, alice, { provider: "discord", subject: "80351110224678912" });
  await link(harness, bare, { provider: "github", subject: "42" });
  await link(harness, await addMember(harness, "Other"), { provider: "twitch", subject: "42" });
  const { token } = await createToken(harness.services, commandLine, "shop", serviceRights);
  const powerless = await createToken(harness.services, commandLine, "powerless", []);
  const unsubscribe = unsubscribeLinks("", subscriptionNames(secretOf(jwtSecret)));
  return {
    ...world,
    harness: await checkAnswers(harness),
    /** The only administrator. */
    chief: await addMember(harness, "Chief", { level: 3 }),
    service: { authorization: token } satisfies Actor,
    /** A service whose token has no right. */
    powerless: { authorization: powerless.token } satisfies Actor,
    /** Where the mails to everybody lead that Alice gets. */
    unsubscribe: unsubscribe(alice.account.uuid),
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Links a member to somebody at a social provider. */
export async function link(
  { services, clock }: Harness,
  { account, name }: Member,
  person: { readonly provider: string; readonly subject: string },
): Promise<void> {
  const shown = { username: name, avatar: "https://cdn.example.org/a.png", linkedAt: clock.nowSeconds() };
  const identity = { ...person, issuer: `https://${person.provider}.com`, ...shown, accountId: account.id };
  await services.transact(system, ({ identities }) => identities.insertIdentity(identity));
}

import type { PlannedIdentity } from "../model/import-plan.ts";
import type { BookAccount, BookIdentity } from "../ports/plan-book.ts";
import type { Planning } from "./planning.ts";

/**
 * The connection that each account comes with: the first one of the provider that these settings have, unless
 * an account here has it.
 */
export async function planIdentities(
  { book, reads, rules }: Planning,
  accounts: readonly BookAccount[],
): Promise<ReadonlyMap<number, PlannedIdentity>> {
  const found = book.identitiesOf(accounts.at(0)?.n ?? 0, accounts.at(-1)?.n ?? 0);
  const taken = new Set((await reads.takenIdentities(found.map(({ source }) => source))).map(personKey));
  const states = new Map(accounts.map(({ n, state }) => [n, state]));
  const planned = new Map<number, PlannedIdentity>();
  for (const identity of found) {
    const { account, source } = identity;
    const reason = refusalOf(identity);
    if (reason === "") planned.set(account, plannedOf(identity));
    const decision = reason === "" ? "create" : states.get(account) === "here" ? "keep" : "skip";
    book.decide({
      kind: "identity",
      decision,
      source: source.key,
      from: source.issuer,
      reason,
      to: reason === "" ? source.subject : null,
    });
  }
  return planned;

  function refusalOf({ n, account, source }: BookIdentity): string {
    if (states.get(account) === "here") return "its account came before";
    if (states.get(account) !== "new") return "its account does not come";
    const { oidcIssuer } = rules.settings;
    if (source.own === undefined && oidcIssuer === null)
      return "no OpenID Connect provider is set here: SOCIAL_PROVIDERS and SOCIAL_OIDC_ISSUER";
    if (source.own === undefined && source.issuer !== oidcIssuer)
      return "its provider is not the one of SOCIAL_OIDC_ISSUER";
    if (planned.has(account)) return "an account has one connection";
    if (taken.has(personKey(source))) return "an account here has this connection";
    const isTwice = book.claim("identity", personKey(source), n) !== null;
    return isTwice ? "another account there has this connection" : "";
  }
}

function plannedOf({ source }: BookIdentity): PlannedIdentity {
  const { issuer, subject, username, own } = source;
  return {
    provider: own?.provider ?? "oidc",
    issuer,
    subject,
    username: username ?? "",
    ...(own && { own }),
  };
}

function personKey({ issuer, subject }: { readonly issuer: string; readonly subject: string }): string {
  return JSON.stringify([issuer, subject]);
}

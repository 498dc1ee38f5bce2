import type { IdentityCount } from "../../adapters/sqlite/inspect.ts";
import type { Config } from "../../boot/config.ts";
import { withDatabase } from "./database.ts";
import { ok, warning, type Finding } from "./finding.ts";

/** Whether linked people can still sign in through their providers. */
export function checkIdentities(config: Config): Promise<readonly Finding[]> {
  return withDatabase(config, (inspection) => {
    const counts = inspection.countIdentities();
    const findings = counts.flatMap((count) => findingOf(config.social, count));
    const linked = counts.reduce((sum, { identities }) => sum + identities, 0);
    return findings.length > 0 ? findings : [ok(`${linked} accounts are linked, all to providers of today`)];
  });
}

function findingOf(
  social: Config["social"],
  { provider, issuer, identities }: IdentityCount,
): readonly Finding[] {
  const people = `${identities} ${identities === 1 ? "identity" : "identities"} of ${provider}`;
  const today = social.find((one) => one.provider === provider);
  if (today === undefined) {
    const lost = issuer === "" ? "; use the address that it had, for it is not known here" : "";
    const remedy = `name it there again${lost}; people with a password can sign in with that meanwhile`;
    return [
      warning(`${people}: SOCIAL_PROVIDERS does not name it, so they cannot sign in through it`, remedy),
    ];
  }
  if (issuer === today.issuer) return [];
  const setting = provider === "oidc" ? "SOCIAL_OIDC_ISSUER" : `SOCIAL_${provider.toUpperCase()}_BASE_URL`;
  if (issuer === "") {
    const remedy = `the next start of the server makes them ${today.issuer}'s: if that is wrong, correct ${setting} first`;
    return [warning(`${people}: nothing says who vouches for them yet`, remedy)];
  }
  return [
    warning(
      `${people} are vouched for by ${issuer}, but ${setting} comes to ${today.issuer}: they cannot sign in through it`,
      `set ${setting} back, or unlink them (PATCH /api/admin/user/{identifier}, dsid false) so that they can link again`,
    ),
  ];
}

import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { Config } from "../../boot/config.ts";
import { readTlsPair, type TlsFiles } from "../../boot/tls-files.ts";
import { ok, problem, reasonOf, warning, type Finding } from "./finding.ts";

/** What renews certificates by itself does so a month before they end. */
const daysLeftLow = 14;
const dayMs = 24 * 60 * 60 * 1000;

/** Whether clients can take the certificate that this server shows. `now` is in Unix seconds. */
export function checkCertificate({ tls, publicUrl }: Config, now: number): readonly Finding[] {
  if (tls === null) return [ok("none is set: what stands before this server speaks https, if anything does")];
  const certificate = readCertificate(tls);
  if (!(certificate instanceof X509Certificate)) return [certificate];
  const findings = [...checkDates(certificate, now * 1000), ...checkNames(certificate, publicUrl)];
  return findings.length === 0 ? [ok(`it is good until ${certificate.validToDate.toISOString()}`)] : findings;
}

const untrusted = [
  "that nobody vouches for whom this machine trusts",
  "get one from an authority that browsers know; if your own made it, name that one's in NODE_EXTRA_CA_CERTS",
] as const;
const unchained = [
  "without the one that vouches for it, or from an authority that this machine does not trust",
  "serve the whole chain (fullchain.pem of certbot)",
] as const;

/** Why clients refuse a certificate, and what to do, by OpenSSL's names. */
export const certificateRefusals: Readonly<Record<string, readonly [string, string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: unchained,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unchained,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unchained,
  CERT_HAS_EXPIRED: ["that has ended", "renew it"],
  CERT_NOT_YET_VALID: ["that is not good yet", "set the clocks of both machines"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["for another name", "get one for the host of PUBLIC_URL"],
};

function readCertificate(files: TlsFiles): X509Certificate | Finding {
  try {
    return new X509Certificate(readTlsPair(files).cert);
  } catch (cause) {
    return problem(
      reasonOf(cause),
      "give a certificate with its chain, and the key that it was made for, as PEM that this user may read",
    );
  }
}

function checkDates({ validFromDate, validToDate }: X509Certificate, now: number): readonly Finding[] {
  const end = validToDate.toISOString();
  if (validFromDate.getTime() > now) {
    const message = `it is good only from ${validFromDate.toISOString()} on`;
    return [problem(message, "set this machine's clock, or go on with the one before until then")];
  }
  if (validToDate.getTime() < now)
    return [problem(`it ended at ${end}`, "renew it: new files are taken without a restart")];
  if (validToDate.getTime() - now > daysLeftLow * dayMs) return [];
  return [warning(`it ends at ${end}`, "renew it, and see why that does not happen by itself")];
}

function checkNames(certificate: X509Certificate, publicUrl: string | null): readonly Finding[] {
  if (publicUrl === null) return [];
  const host = new URL(publicUrl).hostname.replaceAll(/^\[|\]$/g, "");
  const isNamed = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (isNamed !== undefined) return [];
  return [
    warning(
      `it does not name ${host}, the host of PUBLIC_URL, but ${certificate.subjectAltName ?? certificate.subject}`,
      "get one for that name: clients refuse this one, unless a proxy shows them another",
    ),
  ];
}

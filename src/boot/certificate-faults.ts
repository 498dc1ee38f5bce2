/** What keeps clients from accepting the certificate of TLS_CERT: logged when it is taken into use, and found by doctor in the same words. */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { SettingTrap } from "./config/traps.ts";

/** Programs that renew certificates do so when a third of its time is left, or a month of a long one. */
const daysLeftLow = 14;
const shareLeftLow = 1 / 3;
const dayMs = 24 * 60 * 60 * 1000;

/** `problem`: every client refuses it. */
export type CertificateFault = SettingTrap & { readonly state: "problem" | "warning" };

/** Faults of the first certificate of a PEM text. `now`: milliseconds. `publicUrl`: null, or the address whose host it has to name. */
export function certificateFaults(
  cert: string,
  { publicUrl, now }: { readonly publicUrl: string | null; readonly now: number },
): readonly CertificateFault[] {
  const certificate = new X509Certificate(cert);
  return [...dateFaults(certificate, now), ...nameFaults(certificate, publicUrl)];
}

function* dateFaults(
  { validFromDate, validToDate }: X509Certificate,
  now: number,
): Iterable<CertificateFault> {
  const [from, end] = [validFromDate.getTime(), validToDate.getTime()];
  if (from > now)
    yield {
      state: "problem",
      message: `the certificate of TLS_CERT is good only from ${validFromDate.toISOString()} on: clients refuse it until then`,
      remedy: "set this machine's clock, or use the previous certificate until then",
    };
  else if (end < now)
    yield {
      state: "problem",
      message: `the certificate of TLS_CERT ended at ${validToDate.toISOString()}: clients refuse it`,
      remedy:
        "renew it: the server takes new files without a restart. If it is good, set this machine's clock",
    };
  else if (end - now <= Math.min(daysLeftLow * dayMs, (end - from) * shareLeftLow))
    yield {
      state: "warning",
      message: `the certificate of TLS_CERT ends at ${validToDate.toISOString()}`,
      remedy: "renew it, and find out why that does not happen automatically",
    };
}

function* nameFaults(certificate: X509Certificate, publicUrl: string | null): Iterable<CertificateFault> {
  if (publicUrl === null) return;
  const host = new URL(publicUrl).hostname.replaceAll(/^\[|\]$/g, "");
  const isNamed = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (isNamed === undefined)
    yield {
      state: "warning",
      message: `the certificate of TLS_CERT does not name ${host}, the host of PUBLIC_URL, but ${certificate.subjectAltName ?? certificate.subject}`,
      remedy: "get one for that name: clients refuse this one, unless a proxy shows them another",
    };
}

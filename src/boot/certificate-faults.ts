/**
 * What keeps clients from accepting the certificate of TLS_CERT: logged when it is taken into use, and found
 * by doctor in the same words.
 */
import type { X509Certificate } from "node:crypto";
import { found, type CodedFinding } from "../domain/health/finding.ts";
import { isIpAddress } from "../kernel/ip-address.ts";
import { nodeParts } from "../kernel/node-parts.ts";

/** Programs that renew certificates do so when a third of its time is left, or a month of a long one. */
const daysLeftLow = 14;
const shareLeftLow = 1 / 3;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Faults of the first certificate of a PEM text. `now`: milliseconds. `publicUrl`: null, or the address whose
 * host it has to name.
 */
export function certificateFaults(
  cert: string,
  { publicUrl, now }: { readonly publicUrl: string | null; readonly now: number },
): readonly CodedFinding[] {
  const certificate = new nodeParts.crypto.X509Certificate(cert);
  return [...dateFaults(certificate, now), ...nameFaults(certificate, publicUrl)];
}

function* dateFaults({ validFromDate, validToDate }: X509Certificate, now: number): Iterable<CodedFinding> {
  const [from, end] = [validFromDate.getTime(), validToDate.getTime()];
  if (from > now) yield found("certificate_early", { from: from / 1000 });
  else if (end < now) yield found("certificate_ended", { end: end / 1000 });
  else if (end - now <= Math.min(daysLeftLow * dayMs, (end - from) * shareLeftLow))
    yield found("certificate_ending", { end: end / 1000 });
}

function* nameFaults(certificate: X509Certificate, publicUrl: string | null): Iterable<CodedFinding> {
  if (publicUrl === null) return;
  const host = new URL(publicUrl).hostname.replaceAll(/^\[|\]$/g, "");
  const isNamed = isIpAddress(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  if (isNamed !== undefined) return;
  yield found("certificate_other_name", { host, names: certificate.subjectAltName ?? certificate.subject });
}

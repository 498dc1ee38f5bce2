import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { Config } from "../../boot/config.ts";
import { readTlsPair } from "../../boot/tls-files.ts";
import { ok, problem, reasonOf, warning, type Finding, type Subject } from "./finding.ts";

/** Programs that renew certificates do so a month before the end. */
const daysLeftLow = 14;
const dayMs = 24 * 60 * 60 * 1000;

/** Whether clients can accept the certificate of this server. */
export function* checkCertificate({ config, now }: Subject): Iterable<Finding> {
  const { tls, publicUrl } = config;
  if (tls === null) {
    yield ok("no certificate is set: this server speaks plain HTTP");
    return;
  }
  const certificate = readCertificate(tls);
  if (!(certificate instanceof X509Certificate)) {
    yield certificate;
    return;
  }
  const findings = [...checkDates(certificate, now * 1000), ...checkNames(certificate, publicUrl)];
  if (findings.length === 0) yield ok(`it is good until ${certificate.validToDate.toISOString()}`);
  yield* findings;
}

function readCertificate(files: NonNullable<Config["tls"]>): X509Certificate | Finding {
  try {
    return new X509Certificate(readTlsPair(files).cert);
  } catch (cause) {
    return problem(
      reasonOf(cause),
      "set a certificate with its chain and its own key, as PEM files that this user may read",
    );
  }
}

function* checkDates({ validFromDate, validToDate }: X509Certificate, now: number): Iterable<Finding> {
  const end = validToDate.toISOString();
  if (validFromDate.getTime() > now)
    yield problem(
      `it is good only from ${validFromDate.toISOString()} on`,
      "set this machine's clock, or use the previous certificate until then",
    );
  else if (validToDate.getTime() < now)
    yield problem(`it ended at ${end}`, "renew it: the server takes new files without a restart");
  else if (validToDate.getTime() - now <= daysLeftLow * dayMs)
    yield warning(`it ends at ${end}`, "renew it, and find out why that does not happen automatically");
}

function* checkNames(certificate: X509Certificate, publicUrl: string | null): Iterable<Finding> {
  if (publicUrl === null) return;
  const host = new URL(publicUrl).hostname.replaceAll(/^\[|\]$/g, "");
  const isNamed = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (isNamed === undefined)
    yield warning(
      `it does not name ${host}, the host of PUBLIC_URL, but ${certificate.subjectAltName ?? certificate.subject}`,
      "get one for that name: clients refuse this one, unless a proxy shows them another",
    );
}

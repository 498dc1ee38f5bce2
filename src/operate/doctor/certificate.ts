import { X509Certificate } from "node:crypto";
import { certificateFaults } from "../../boot/certificate-faults.ts";
import { readTlsPair } from "../../boot/tls-files.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { reasonOf, type Subject } from "./finding.ts";

/** Whether clients can accept the certificate of this server. */
export function* checkCertificate({ config, now }: Subject): Iterable<CodedFinding> {
  const { tls, publicUrl } = config;
  if (tls === null) {
    yield found("certificate_unset");
    return;
  }
  try {
    const { cert } = readTlsPair(tls);
    const faults = certificateFaults(cert, { publicUrl, now: now * 1000 });
    yield* faults;
    if (faults.length === 0)
      yield found("certificate_good", { until: new X509Certificate(cert).validToDate.getTime() / 1000 });
  } catch (cause) {
    yield found("certificate_unusable", { reason: reasonOf(cause) });
  }
}

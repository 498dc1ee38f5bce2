import { X509Certificate } from "node:crypto";
import { certificateFaults } from "../../boot/certificate-faults.ts";
import { readTlsPair } from "../../boot/tls-files.ts";
import { ok, problem, reasonOf, type Finding, type Subject } from "./finding.ts";

/** Whether clients can accept the certificate of this server. */
export function* checkCertificate({ config, now }: Subject): Iterable<Finding> {
  const { tls, publicUrl } = config;
  if (tls === null) {
    yield ok("no certificate is set: this server speaks plain HTTP");
    return;
  }
  try {
    const { cert } = readTlsPair(tls);
    const faults = certificateFaults(cert, { publicUrl, now: now * 1000 });
    yield* faults;
    if (faults.length === 0)
      yield ok(`it is good until ${new X509Certificate(cert).validToDate.toISOString()}`);
  } catch (cause) {
    yield problem(
      reasonOf(cause),
      "set a certificate with its chain and its own key, as PEM files that this user may read",
    );
  }
}

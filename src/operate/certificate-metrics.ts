import { X509Certificate } from "node:crypto";
import { gauge, single, type Metric } from "../adapters/prometheus/exposition.ts";

/**
 * When the certificate ends that the server uses; no metric where it speaks plain HTTP, behind a proxy
 * mostly.
 */
export function certificateMetrics(certificate: () => string | null): readonly Metric[] {
  if (certificate() === null) return [];
  return [
    gauge("cloakroom_certificate_end_timestamp_seconds", "When the certificate in use ends.", () => {
      const pem = certificate();
      return single(pem === null ? null : new X509Certificate(pem).validToDate.getTime() / 1000);
    }),
  ];
}

/** Why this machine refuses the certificate of a server that it asks, and what helps. */
import type { BucketSetting } from "../../boot/config/backup-settings.ts";
import type { RefusedFor, CertificateHolder } from "../../domain/health/certificate-texts.ts";
import { found, type CodedFinding } from "../../domain/health/finding.ts";
import { codeOf } from "../../kernel/errors.ts";

/** The service of a bucket, by its address. */
export function bucketService({
  endpoint,
  region,
}: Pick<BucketSetting, "endpoint" | "region">): CertificateHolder {
  const by = endpoint ?? `https://s3.${region ?? "us-east-1"}.amazonaws.com`;
  return { by, setting: "S3_ENDPOINT", own: false };
}

/** Keys are OpenSSL's names. */
const refusals: Readonly<Record<string, RefusedFor>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "unchained",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unchained",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unchained",
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "early",
  ERR_TLS_CERT_ALTNAME_INVALID: "other_name",
};

/** The same by the words of BoringSSL, and of OpenSSL but for a hyphen: nodemailer replaces the code. */
const namesByWords: Readonly<Record<string, string>> = {
  "certificate has expired": "CERT_HAS_EXPIRED",
  "certificate is not yet valid": "CERT_NOT_YET_VALID",
  "self signed certificate": "DEPTH_ZERO_SELF_SIGNED_CERT",
  "self signed certificate in certificate chain": "SELF_SIGNED_CERT_IN_CHAIN",
  "unable to get issuer certificate": "UNABLE_TO_GET_ISSUER_CERT",
  "unable to get local issuer certificate": "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "unable to verify the first certificate": "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "Hostname/IP does not match certificate's altnames": "ERR_TLS_CERT_ALTNAME_INVALID",
};

/** Why a certificate was refused, by the cause, an error or its code; null for any other. */
export function refusedFor(cause: unknown): RefusedFor | null {
  return refusals[nameOf(cause)] ?? null;
}

/**
 * The problem where the cause, an error or its code, is that a certificate was refused; null for any other.
 */
export function certificateRefusal(error: unknown, shown: CertificateHolder): CodedFinding | null {
  const cause = refusedFor(error);
  return cause === null ? null : found("certificate_refused", { ...shown, cause });
}

function nameOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = codeOf(cause) ?? "";
  if (code in refusals) return code;
  const [words = ""] = cause.message.split(":");
  return (
    namesByWords[words.replace("self-signed", "self signed")] ??
    (cause.cause instanceof Error ? nameOf(cause.cause) : "")
  );
}

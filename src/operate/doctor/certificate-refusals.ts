/** Why this machine refuses the certificate of a server that it asks, and what helps. */
import type { BucketSetting } from "../../boot/config/backup-settings.ts";
import { codeOf } from "../../kernel/errors.ts";
import { problem, type Finding } from "./finding.ts";

/** Who shows the certificate. */
type Shown = {
  /** In words: `smtp.example.org, port 465`. */
  readonly by: string;
  /** The setting that names its host. */
  readonly setting: string;
  /** Whether it is the operator's own, who gets its certificate. */
  readonly isOwn: boolean;
};

/** The service of a bucket, by its address. */
export function bucketService({ endpoint, region }: Pick<BucketSetting, "endpoint" | "region">): Shown {
  const by = endpoint ?? `https://s3.${region ?? "us-east-1"}.amazonaws.com`;
  return { by, setting: "S3_ENDPOINT", isOwn: false };
}

/** What the certificate is like, and what to do. */
type Refusal = readonly [words: string, remedy: (shown: Shown) => string];

const untrusted: Refusal = [
  "that no authority vouches for which this machine trusts",
  ({ isOwn }) =>
    isOwn
      ? "get one from an authority that browsers know; if your own made it, name its certificate in NODE_EXTRA_CA_CERTS"
      : "if an authority of your own made it, name its certificate in NODE_EXTRA_CA_CERTS; else it may be another server that answers",
];
const unchained: Refusal = [
  "without its chain, or from an authority that this machine does not trust",
  ({ isOwn }) =>
    `${isOwn ? "serve the whole chain (fullchain.pem of certbot)" : "let it serve the whole chain"};` +
    " if an authority of your own made it, name its certificate in NODE_EXTRA_CA_CERTS",
];

/** By OpenSSL's names. */
const refusals: Readonly<Record<string, Refusal>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: unchained,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unchained,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unchained,
  CERT_HAS_EXPIRED: [
    "that has expired",
    ({ isOwn }) =>
      isOwn
        ? "renew it, and have the proxy load the new one; a server takes new files of TLS_CERT by itself. If it is good, set this machine's clock"
        : "its operator has to renew it. If it is good, set this machine's clock",
  ],
  CERT_NOT_YET_VALID: ["that is not valid yet", () => "set the clocks of both machines with NTP"],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    "for another name",
    ({ setting, isOwn }) =>
      isOwn
        ? `get one for the host of ${setting}, or give ${setting} a name that it has`
        : `name the host in ${setting} as its certificate does`,
  ],
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

/** The problem where the cause, an error or its code, is that a certificate was refused; null for any other. */
export function certificateRefusal(cause: unknown, shown: Shown): Finding | null {
  const refusal = refusals[nameOf(cause)];
  if (refusal === undefined) return null;
  const [words, remedy] = refusal;
  return problem(`${shown.by} shows a certificate ${words}`, remedy(shown));
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

import type { FindingText } from "./finding-text.ts";

/** Why this machine refuses the certificate of a server that it asks. */
export type RefusedFor = "untrusted" | "unchained" | "expired" | "early" | "other_name";

/** Who shows a certificate. */
export type CertificateHolder = {
  /** The address in words: `smtp.example.org, port 465`. */
  readonly by: string;
  /** The setting that names its host. */
  readonly setting: string;
  /** Whether it is the operator's own, who gets its certificate. */
  readonly own: boolean;
};

const refusalWords: Readonly<Record<RefusedFor, string>> = {
  untrusted: "that no authority vouches for which this machine trusts",
  unchained: "without its chain, or from an authority that this machine does not trust",
  expired: "that has expired",
  early: "that is not valid yet",
  other_name: "for another name",
};

type Remedy = (shown: Omit<CertificateHolder, "by">) => string;

const refusalRemedies: Readonly<Record<RefusedFor, Remedy>> = {
  untrusted: ({ own }) =>
    own
      ? "get one from an authority that browsers know; if your own made it, name its certificate in NODE_EXTRA_CA_CERTS"
      : "if an authority of your own made it, name its certificate in NODE_EXTRA_CA_CERTS; else it may be another server that answers",
  unchained: ({ own }) =>
    `${own ? "serve the whole chain (fullchain.pem of certbot)" : "let it serve the whole chain"};` +
    " if an authority of your own made it, name its certificate in NODE_EXTRA_CA_CERTS",
  expired: ({ own }) =>
    own
      ? "renew it, and have the proxy load the new one; a server takes new files of TLS_CERT by itself. If it is good, set this machine's clock"
      : "its operator has to renew it. If it is good, set this machine's clock",
  early: () => "set the clocks of both machines with NTP",
  other_name: ({ setting, own }) =>
    own
      ? `get one for the host of ${setting}, or give ${setting} a name that it has`
      : `name the host in ${setting} as its certificate does`,
};

/** What to do about a certificate that this machine refuses. */
export function refusalRemedy(cause: RefusedFor, shown: Omit<CertificateHolder, "by">): string {
  return refusalRemedies[cause](shown);
}

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

/** The certificate of this server, and those that it is shown. */
export const certificateFindings = {
  certificate_refused: {
    state: "problem",
    text: ({ by, cause }: CertificateHolder & { cause: RefusedFor }) =>
      `${by} shows a certificate ${refusalWords[cause]}`,
    remedy: ({ cause, ...shown }: CertificateHolder & { cause: RefusedFor }) => refusalRemedy(cause, shown),
  },
  certificate_unset: { state: "ok", text: "no certificate is set: this server speaks plain HTTP" },
  certificate_good: {
    state: "ok",
    text: ({ until }: { until: number }) => `it is good until ${isoOf(until)}`,
  },
  certificate_unusable: {
    state: "problem",
    text: ({ reason }: { reason: string }) => reason,
    remedy: "set a certificate with its chain and its own key, as PEM files that this user may read",
  },
  certificate_early: {
    state: "problem",
    text: ({ from }: { from: number }) =>
      `the certificate of TLS_CERT is good only from ${isoOf(from)} on: clients refuse it until then`,
    remedy: "set this machine's clock, or use the previous certificate until then",
  },
  certificate_ended: {
    state: "problem",
    text: ({ end }: { end: number }) =>
      `the certificate of TLS_CERT ended at ${isoOf(end)}: clients refuse it`,
    remedy: "renew it: the server takes new files without a restart. If it is good, set this machine's clock",
  },
  certificate_ending: {
    state: "warning",
    text: ({ end }: { end: number }) => `the certificate of TLS_CERT ends at ${isoOf(end)}`,
    remedy: "renew it, and find out why that does not happen automatically",
  },
  certificate_other_name: {
    state: "warning",
    text: ({ host, names }: { host: string; names: string }) =>
      `the certificate of TLS_CERT does not name ${host}, the host of PUBLIC_URL, but ${names}`,
    remedy: "get one for that name: clients refuse this one, unless a proxy shows them another",
  },
} as const satisfies Readonly<Record<string, FindingText>>;

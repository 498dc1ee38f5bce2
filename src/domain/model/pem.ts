/**
 * DER as text (RFC 7468 2): lines of `width` characters between two labels, the last one without a line end.
 */
export function pemOf(label: string, der: Uint8Array, width = 64): string {
  const text = Buffer.from(der).toString("base64");
  const lines = text.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join("\n");
}

/** A public key (SubjectPublicKeyInfo) as every program reads it (RFC 7468 13). */
export function publicKeyPem(der: Uint8Array): string {
  return pemOf("PUBLIC KEY", der);
}

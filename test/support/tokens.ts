import { createHmac } from "node:crypto";
import { jwtSecret } from "./harness.ts";

/** A JWT maker of the tests' own, which also makes tokens that must be refused. */
export function forge(
  claims: Readonly<Record<string, unknown>>,
  options: { readonly alg?: string; readonly secret?: string } = {},
): string {
  const { alg = "HS256", secret = jwtSecret } = options;
  const signed = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
  const digest = `sha${alg.replace(/\D/g, "")}`;
  const signature = alg === "none" ? "" : createHmac(digest, secret).update(signed).digest("base64url");
  return `${signed}.${signature}`;
}

export function claimsOf(jwt: string): Record<string, unknown> {
  const [, payload = ""] = jwt.split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString());
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

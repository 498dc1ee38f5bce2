import { Elysia } from "elysia";
import { publicKeyPem } from "../../domain/model/pem.ts";
import { describe } from "../openapi/describe.ts";
import type { Parts } from "../parts.ts";
import { modFailure, wrongMethod } from "../textures/mod-failures.ts";

/** The public key of signed profiles. A cache asks each time, because the operator may replace the key. */
export function keyRoutes({ signer }: Pick<Parts, "signer">) {
  return new Elysia()
    .get(
      "/signature-verification-key.der",
      async () => file(Buffer.from((await signer.key()).publicKey), "application/octet-stream"),
      { detail: describeKey("getElyKey", "as DER") },
    )
    .get(
      "/signature-verification-key.pem",
      async () => file(`${publicKeyPem((await signer.key()).publicKey)}\n`, "application/x-pem-file"),
      { detail: describeKey("getElyKeyText", "as PEM") },
    );
}

function file(body: Buffer<ArrayBuffer> | string, type: string): Response {
  return new Response(new Blob([body]), { headers: { "content-type": type, "cache-control": "no-cache" } });
}

function describeKey(operationId: string, format: string) {
  return describe({
    operationId,
    summary: `The public key of signed profiles, ${format}`,
    who: "everybody",
    protocol: true,
    answers: {
      200: { description: "SubjectPublicKeyInfo" },
      405: wrongMethod,
      500: modFailure("The server has no usable key"),
    },
  });
}

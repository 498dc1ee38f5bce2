import { publicKeyPem } from "../../domain/model/pem.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import { modFailure, wrongMethod } from "../textures/mod-failures.ts";
import { route } from "../routing/route.ts";

/** The public key of signed profiles. A cache asks each time, because the operator may replace the key. */
export function keyRoutes({ signer }: Pick<Services["game"], "signer">) {
  return [
    route("GET", "/signature-verification-key.der", {
      ...describeKey("getElyKey", "as DER"),
      handle: async () => file(Buffer.from((await signer.key()).publicKey), "application/octet-stream"),
    }),
    route("GET", "/signature-verification-key.pem", {
      ...describeKey("getElyKeyText", "as PEM"),
      handle: async () => file(`${publicKeyPem((await signer.key()).publicKey)}\n`, "application/x-pem-file"),
    }),
  ];
}

function file(body: Buffer<ArrayBuffer> | string, type: string): Response {
  return new Response(new Blob([body]), { headers: { "content-type": type, "cache-control": "no-cache" } });
}

function describeKey(operationId: string, format: string) {
  return {
    operationId,
    summary: `The public key of signed profiles, ${format}`,
    protocol: true,
    answers: {
      200: { description: "SubjectPublicKeyInfo" },
      405: wrongMethod,
      500: modFailure("The server has no usable key"),
    },
  } as const;
}

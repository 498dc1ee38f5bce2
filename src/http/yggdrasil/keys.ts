import type { PlayerCertificate } from "../../domain/game/certificate.ts";
import type { Services } from "../../domain/use-cases/services.ts";
import type { Http } from "../http.ts";
import { failureAnswer } from "./failures.ts";
import { boundPlayer } from "./own-profile.ts";
import { atPlaces } from "./places.ts";
import { route } from "../routing/route.ts";
import { t } from "../routing/schema.ts";

/** The public keys of signatures, and certificates for the keys of players. */
export function signedRoutes(
  services: Pick<Services, "clock" | "game">,
  http: Pick<Http, "guards" | "requests">,
) {
  return atPlaces(
    ["/minecraftservices", ""],
    [
      route("GET", "/publickeys", {
        operationId: "getPublicKeys",
        summary: "The keys by which games check signatures",
        description: "The one in force, and for two days those that it replaced.",
        answers: { 200: { schema: publicKeys }, 500: failureAnswer("The server has no usable key") },
        handle: () => publicKeysOf(services),
      }),
      certificateRoute(services, http),
    ],
  );
}

function certificateRoute(
  { game }: Pick<Services, "game">,
  { guards, requests }: Pick<Http, "guards" | "requests">,
) {
  return route("POST", "/player/certificates", {
    guard: guards.game,
    operationId: "getCertificate",
    summary: "A key pair with which the player signs chat messages",
    description: "The same one until it is to be refreshed.",
    answers: {
      200: { schema: certificate },
      401: failureAnswer("The token is missing or not valid"),
      404: failureAnswer("The token belongs to no player"),
      429: failureAnswer("Too many certificates are being made"),
    },
    handle: async ({ player, request }) => {
      const owner = boundPlayer({ player });
      return presentCertificate(await game.certificates.of(owner, requests.waiterOf(request)));
    },
  });
}

const keyExample = "MIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEA";
const keys = t.Array(t.Object({ publicKey: t.String({ examples: [keyExample] }) }), {
  description: "Base64 of SubjectPublicKeyInfo",
});
const publicKeys = t.Object(
  { profilePropertyKeys: keys, playerCertificateKeys: keys, authenticationKeys: keys },
  { component: "GamePublicKeys" },
);

async function publicKeysOf({
  game: { signer },
  clock,
}: Pick<Services, "game" | "clock">): Promise<typeof publicKeys.static> {
  const { publicKey, previous } = await signer.key();
  const now = clock.nowSeconds();
  const announced = previous.filter(({ announcedUntil }) => announcedUntil > now);
  const shown = [publicKey, ...announced.map((one) => one.publicKey)].map((der) => ({
    publicKey: Buffer.from(der).toString("base64"),
  }));
  return { profilePropertyKeys: shown, playerCertificateKeys: shown, authenticationKeys: shown };
}

const timeExample = "2026-01-01T00:00:00.000Z";
const certificate = t.Object(
  {
    keyPair: t.Object({
      privateKey: t.String({ examples: ["-----BEGIN RSA PRIVATE KEY-----\n…"] }),
      publicKey: t.String({ examples: ["-----BEGIN RSA PUBLIC KEY-----\n…"] }),
    }),
    publicKeySignature: t.String({ description: "For 1.19", examples: ["bm8gc2lnbmF0dXJl"] }),
    publicKeySignatureV2: t.String({ description: "For later ones", examples: ["bm8gc2lnbmF0dXJl"] }),
    expiresAt: t.String({ examples: [timeExample] }),
    refreshedAfter: t.String({ examples: [timeExample] }),
  },
  { component: "PlayerCertificate" },
);

function presentCertificate(made: PlayerCertificate): typeof certificate.static {
  return {
    keyPair: { privateKey: made.privateKeyPem, publicKey: made.publicKeyPem },
    publicKeySignature: made.signature,
    publicKeySignatureV2: made.signatureV2,
    expiresAt: new Date(made.expiresAt * 1000).toISOString(),
    refreshedAfter: new Date(made.refreshedAfter * 1000).toISOString(),
  };
}

import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";

/**
 * The settings with which the server speaks every protocol. Writes the key of a launch server into the
 * folder.
 */
export async function everyProtocol(folder: string): Promise<Readonly<Record<string, string>>> {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keyFile = join(folder, "launch-server.pem");
  await Bun.write(keyFile, publicKey.export({ type: "spki", format: "pem" }));
  return { AURORA_SECRET: "q7Zt2Lw9Xk4Vb8Nc1Md6Rf3Hs5Jg0YpT", GRAVIT_KEY_FILE: keyFile };
}

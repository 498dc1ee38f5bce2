import { PlainError } from "../../kernel/errors.ts";
import { parsePart } from "../model/backup-entries.ts";
import type { KeptFile, Sealing } from "../ports/backup-ports.ts";

/** Encrypts all secrets as one text. */
export async function sealSecrets(
  sealing: Sealing,
  secrets: readonly KeptFile[],
  passphrase: string,
): Promise<Uint8Array> {
  const entries = secrets.map(({ name, content }) => [name, Buffer.from(content).toString("base64")]);
  return sealing.seal(Buffer.from(JSON.stringify(Object.fromEntries(entries))), passphrase);
}

/** Decrypts the secrets. Fails with invalid when the passphrase is wrong. */
export async function openSecretsOf(
  sealing: Sealing,
  sealed: Uint8Array,
  passphrase: string,
): Promise<readonly KeptFile[]> {
  const plain = await sealing.open(sealed, passphrase);
  if (plain === null) throw new PlainError("invalid", "the passphrase does not open its secrets");
  const entries: [string, unknown][] = Object.entries(JSON.parse(Buffer.from(plain).toString("utf8")));
  return entries.map(([name, text]) => {
    const part = parsePart(`secrets/${name}`);
    if (part?.kind !== "file" || typeof text !== "string")
      throw new PlainError("invalid", "its secrets are malformed");
    return { folder: part.folder, name: part.name, content: Buffer.from(text, "base64") };
  });
}

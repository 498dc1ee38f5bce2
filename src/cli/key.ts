import { rotateKey } from "../domain/game/rotate-key.ts";
import { commandLine } from "../domain/model/actor.ts";
import { publicKeyPem } from "../domain/model/pem.ts";
import type { SigningKey } from "../domain/ports/signer.ts";
import { json } from "./arguments.ts";
import { command, type Result } from "./command.ts";
import { timeText } from "./records.ts";

/**
 * `key show`: prints the public key as PEM, with `--json` also the former keys. Makes the key if there is
 * none.
 */
export const keyShow = command({
  name: "key show",
  summary: "prints the public half of the key that signs players' profiles, as PEM",
  details:
    "The first start with a protocol that signs makes the key, and so does this command. It is the file secrets/signing-key of" +
    " the data folder, and stands in backups.",
  options: { json },
  run: async (_, { withServices }) => withServices(async ({ signer }) => shown(await signer.key())),
});

/** `key rotate`: makes another key and prints its public half. */
export const keyRotate = command({
  name: "key rotate",
  summary: "replaces the key that signs players' profiles, also of a running server",
  details:
    "The public half of the former key stays announced for 48 hours. Launchers read the new one when a game starts, so players" +
    " in a running game see new skins again after they have started it once more.",
  options: { json },
  run: async (_, { withServices }) =>
    withServices(async (services) => shown(await rotateKey(services, commandLine))),
});

function shown({ id, publicKey, previous }: SigningKey): Result {
  const pem = publicKeyPem(publicKey);
  const former = previous.map((one) => ({
    public_key: publicKeyPem(one.publicKey),
    announced_until: timeText(one.announcedUntil),
  }));
  return { record: { sha256: id, public_key: pem, previous: former }, text: `${pem}\n` };
}

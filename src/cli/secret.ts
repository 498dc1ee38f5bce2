import { jwtSecret } from "../boot/config/secret-kinds.ts";
import { newJwtSecret, type Secret } from "../boot/secrets.ts";
import { commandLine } from "../domain/model/actor.ts";
import { AppError, PlainError } from "../kernel/errors.ts";
import { json } from "./arguments.ts";
import { command, type Context } from "./command.ts";

/**
 * `secret rotate`: prints where the new secret counts from. Exits with 1 while a server runs, and where
 * JWT_SECRET alone decides.
 */
export const secretRotate = command({
  name: "secret rotate",
  summary: "puts another JWT secret in the place of the one in force; everybody signs in again",
  details:
    "For a secret that others may know. No server may run meanwhile. Without DATABASE_URL it makes a new file secrets/jwt-secret. With" +
    " DATABASE_URL it reads the new secret from standard input (openssl rand -base64 48 makes one), while JWT_SECRET is still the" +
    " former one, and seals the keys in the database again: keep the new secret first, stop every node, run this once, set JWT_SECRET" +
    " to the new secret on every node, and start them. Codes and links in mails that were sent before no longer work.",
  options: { json },
  run: async (_, { io, loadConfig, withServices }) => {
    const { config, jwtSecret: given } = await loadConfig();
    if (config.database === null && given !== null)
      throw new PlainError(
        "conflict",
        "JWT_SECRET is a setting: set another one and start the server again; nothing else depends on it",
      );
    const next = config.database === null ? newJwtSecret() : await readNext(io, given);
    const sealed = await withServices(async ({ replaceSecret, transact }) => {
      const names = await replaceSecret(next);
      await transact(commandLine, async (tx) => tx.audit("secret.rotate", null, { sealed: names }));
      return names;
    });
    return {
      record: { sealed_again: sealed },
      text:
        config.database === null
          ? "the next start of the server uses the new secret\n"
          : "the database takes the new secret now: set JWT_SECRET to it on every node, and start them\n",
    };
  },
});

/**
 * The secret on standard input. Fails with invalid for one that JWT_SECRET could not be, and for the one in
 * force.
 */
async function readNext(io: Context["io"], current: Secret | null): Promise<Secret> {
  const typed = await io.readSecret("New secret: ");
  try {
    const next = jwtSecret.parse(typed);
    if (next.reveal() !== current?.reveal()) return next;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new PlainError("invalid", `the new secret ${cause.message}`, { cause });
  }
  throw new PlainError("invalid", "the new secret is the one in force");
}

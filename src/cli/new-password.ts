import { password } from "../boot/config/kinds.ts";
import { flag, optional } from "../boot/config/options.ts";
import { UsageError } from "./command.ts";
import type { Io } from "./io.ts";

/** Options of the commands that give an account a password. */
export const passwordOptions = {
  password: optional(
    password,
    "8 to 128 characters; other users of the machine may see it",
    "a made one, printed once",
  ),
  passwordStdin: flag("read the password from the first line of standard input"),
};

type Given = { readonly password: string | null; readonly passwordStdin: boolean };

/** `made` is null unless the password was made here, and then has to be shown: nobody else knows it. */
export type NewPassword = { readonly password: string; readonly made: string | null };

export async function newPassword(given: Given, io: Io, commandName: string): Promise<NewPassword> {
  if (given.password !== null && given.passwordStdin) {
    throw new UsageError(["--password and --password-stdin exclude each other"], commandName);
  }
  if (given.password !== null) return { password: given.password, made: null };
  if (given.passwordStdin) return { password: await io.readSecret("Password: "), made: null };
  const made = makePassword();
  return { password: made, made };
}

/** 32 letters and digits of which no two look alike, so that each is worth five bits. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** 100 random bits in four groups. */
function makePassword(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) =>
    alphabet.charAt(byte % 32),
  );
  return [0, 5, 10, 15].map((start) => letters.slice(start, start + 5).join("")).join("-");
}

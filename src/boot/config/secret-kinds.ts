/**
 * The kinds of secrets that have to be random. The rule about what is too regular for one stands here, once
 * for all of them.
 */
import { isWebhookSecret, webhookSecretStart } from "../../domain/events/webhook-signature.ts";
import { jwtSecretLengthMin, secretOf, serviceTokenLengthMin, type Secret } from "../secrets.ts";
import { hidden, refuse, type Kind } from "./kinds.ts";

export const jwtSecret: Kind<Secret> = randomSecret("SECRET", (given) => {
  if (given.length < jwtSecretLengthMin) refuse(`must have at least ${jwtSecretLengthMin} characters`);
  return given;
});

/** It is sent in a header, so it may hold only characters that a header does not change. */
export const serviceToken: Kind<Secret> = randomSecret("TOKEN", (given) => {
  if (given.length < serviceTokenLengthMin) refuse(`must have at least ${serviceTokenLengthMin} characters`);
  const isPlain = /^[ -~]+$/.test(given) && given.trim() === given && !/^bearer /i.test(given);
  if (!isPlain) refuse("must be of ASCII characters, with no blanks around it, and not begin with Bearer");
  return given;
});

const auroraSecretLengthMin = 32;

export const auroraSecret: Kind<Secret> = randomSecret("SECRET", (given) => {
  if (!new RegExp(`^[\\w-]{${auroraSecretLengthMin},}$`).test(given))
    refuse(`must be at least ${auroraSecretLengthMin} letters, digits, - and _: it is part of an address`);
  return given;
});

export const webhookSecret: Kind<Secret> = randomSecret("SECRET", (given) => {
  if (!isWebhookSecret(given)) refuse("must be whsec_ and the Base64 of 24 random bytes or more");
  return given.slice(webhookSecretStart.length);
});

/** A secret of a form: `randomPartOf` refuses any other form, and returns the part that has to be random. */
function randomSecret(placeholder: string, randomPartOf: (given: string) => string): Kind<Secret> {
  return hidden(placeholder, (given) =>
    isTooRegular(randomPartOf(given))
      ? refuse("must be random, and repeats itself or counts: openssl rand -hex 32 makes one that is")
      : secretOf(given),
  );
}

/** Fewer bits can be guessed; 32 random digits have 90 and more. */
const bitsMin = 64;
/** Characters that are examined; the rest cannot make the secret weaker. */
const countedMax = 1024;

/**
 * Whether a text of sufficient length is too regular for a secret: one letter repeated, a word repeated until
 * it was long enough, or the alphabet. The shortest part whose repetition gives the text is rated by
 * Shannon's entropy of its letters, and of the steps from each letter to the next. A sentence of many words
 * passes, because its entropy cannot be estimated.
 */
function isTooRegular(secret: string): boolean {
  const counted = secret.slice(0, countedMax);
  const codes = Array.from(counted.slice(0, periodOf(counted)), (letter) => letter.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, at) => code - (codes[at] ?? 0));
  return Math.min(bitsOf(codes), bitsOf(steps)) < bitsMin;
}

/** The length of the shortest part whose repetition gives the text; the last repetition may be incomplete. */
function periodOf(text: string): number {
  let period = 1;
  while (!text.startsWith(text.slice(period))) period += 1;
  return period;
}

function bitsOf(symbols: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  const perSymbol = [...counts.values()].map(
    (count) => -(count / symbols.length) * Math.log2(count / symbols.length),
  );
  return symbols.length * perSymbol.reduce((sum, bits) => sum + bits, 0);
}

import type { Values } from "./coded.ts";
import { durationText } from "./duration-text.ts";
import { AppError, type ErrorKind, type Failing, type FailureOptions } from "./errors.ts";
import { endText } from "./instant.ts";

type Value = Values[string];

/**
 * How a sentence writes a value: `{seconds|duration}`. A value that is `unsent` stands in the sentence and
 * not among the values.
 */
const formats = {
  duration: (value: Value) => durationText(Number(value)),
  hours: (value: Value) => hoursText(Number(value)),
  players: (value: Value) => (value === 1 ? "1 player" : `${value} players`),
  more: (value: Value) => (value === 0 ? "" : ` and ${value} more`),
  until: (value: Value) => (value === "" ? "" : ` until ${endText(Number(value))}`),
  unsent: String,
} as const;

type Format = keyof typeof formats;

/** The values that a sentence names, in their order. */
type Named<Sentence extends string> = Sentence extends `${string}{${string}}${infer Rest}`
  ? [value: Value, ...Named<Rest>]
  : [];

/**
 * A kind of refusal, defined once. Calling it with the values of its sentence, in their order, makes the
 * failure.
 */
export type Refusal<Code extends string = string, Given extends readonly Value[] = readonly Value[]> = {
  (...given: [...Given, options?: FailureOptions]): AppError;
  readonly kind: ErrorKind;
  readonly code: Code;
  /** With the names of its values in braces. */
  readonly sentence: string;
  readonly field: string | null;
  /** The failure as data, for schemas. */
  readonly of: (...given: Given) => Failing;
};

/**
 * Defines a refusal. Tables of refusals are the only callers, so that docs/contract/errors.md has every code.
 */
export function refusal<const Code extends string, const Sentence extends string>(
  kind: ErrorKind,
  code: Code,
  sentence: Sentence,
  field: string | null = null,
): Refusal<Code, Named<Sentence>> {
  // Read at the first use: few of all sentences are met, and reading them took 2 ms of a start.
  let read: { readonly places: readonly Place[]; readonly named: readonly string[] } | null = null;
  const reading = () => (read ??= { places: placesOf(sentence), named: namesIn(sentence) });
  const of = (...given: readonly unknown[]): Failing => {
    const { places, named } = reading();
    const values = places.map((place, at) => ({ ...place, value: given[at] as Value })); // as `Named` says
    let at = 0;
    return {
      kind,
      code,
      rule: sentence.replaceAll(placePattern, () => spell(values[at++])),
      named,
      field,
      values: Object.fromEntries(
        values.filter(({ format }) => format !== "unsent").map(({ name, value }) => [name, value]),
      ),
    };
  };
  const make = (...given: readonly unknown[]) => makeError(of, given, reading().places.length);
  return Object.assign(make, { kind, code, sentence, field, of });
}

/** Options stand behind the values. */
function makeError(of: Refusal["of"], given: readonly unknown[], values: number): AppError {
  return new AppError(
    of(...(given.slice(0, values) as Value[])),
    given[values] as FailureOptions | undefined,
  );
}

function namesIn(sentence: string): readonly string[] {
  return Array.from(sentence.matchAll(/\[\[(\w+)\]\]/g), ([, name = ""]) => name);
}

type Place = { readonly name: string; readonly format: Format | null };

const placePattern = /\{(\w+)(?:\|(\w+))?\}/g;

function placesOf(sentence: string): readonly Place[] {
  return Array.from(sentence.matchAll(placePattern), ([, name = "", format]) => ({
    name,
    format: format === undefined ? null : (format as Format), // a test spells every sentence
  }));
}

function spell(place: (Place & { readonly value: Value }) | undefined): string {
  if (place === undefined) return "";
  return place.format === null ? String(place.value) : formats[place.format](place.value);
}

function hoursText(seconds: number): string {
  const hours = Math.ceil(seconds / 3600);
  return hours === 1 ? "an hour" : `${hours} hours`;
}

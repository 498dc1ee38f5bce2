import { PlainError } from "../../kernel/errors.ts";
import type { Kind } from "./kinds.ts";

/** A setting, or an option of a command. `T` is the type of its value. */
export type Option<T> = {
  readonly meaning: string;
  /** The value in help texts; null: the option takes no value. */
  readonly placeholder: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** The value when it is not given, as help says it. */
  readonly fallback: string | null;
  /** A secret is not repeated in messages. */
  readonly secret: boolean;
  /** Throws `invalid` with what the texts must be. */
  readonly read: (given: readonly string[]) => T;
};

/** Must be given once. */
export function required<T>(kind: Kind<T>, meaning: string): Option<T> {
  return {
    ...single(kind, meaning),
    required: true,
    read: ([given]) => {
      if (given === undefined) throw new PlainError("invalid", "must be given");
      return kind.parse(given);
    },
  };
}

/** May be left out: then null, and `fallback` says in words what that means. */
export function optional<T>(
  kind: Kind<T>,
  meaning: string,
  fallback: string | null = null,
): Option<T | null> {
  return {
    ...single(kind, meaning),
    fallback,
    read: ([given]) => (given === undefined ? null : kind.parse(given)),
  };
}

/** May be left out: then the default is read like any other value. */
export function withDefault<T>(kind: Kind<T>, fallback: string, meaning: string): Option<T> {
  return { ...single(kind, meaning), fallback, read: ([given]) => kind.parse(given ?? fallback) };
}

/** May be given any number of times. */
export function repeated<T>(kind: Kind<T>, meaning: string): Option<readonly T[]> {
  return { ...single(kind, meaning), repeatable: true, read: (given) => given.map((one) => kind.parse(one)) };
}

/** Must be given once or more. */
export function atLeastOne<T>(kind: Kind<T>, meaning: string): Option<readonly T[]> {
  return {
    ...repeated(kind, meaning),
    required: true,
    read: (given) => {
      if (given.length === 0) throw new PlainError("invalid", "must be given");
      return given.map((one) => kind.parse(one));
    },
  };
}

/** Given or not, without a value. */
export function flag(meaning: string): Option<boolean> {
  return { ...base, placeholder: null, meaning, secret: false, read: (given) => given.length > 0 };
}

const base = { required: false, repeatable: false, fallback: null } as const;

function single(kind: Kind<unknown>, meaning: string) {
  return { ...base, placeholder: kind.placeholder, secret: kind.secret, meaning };
}

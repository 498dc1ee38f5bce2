/** How other systems write hashes of passwords. Only its adapter knows kinds. */

/** What became of a password of another system. */
export type ReadPassword =
  | { readonly hash: string; readonly kind: string }
  /** It cannot be taken: the account comes without a password. A sentence. */
  | { readonly problem: string }
  /** Several kinds have this form: the operator has to say which one. */
  | { readonly asks: string };

/** Reads hashes of other systems. */
export interface PasswordForms {
  /** The names of kinds that `--password-kind` takes, and `user list` shows. */
  readonly kinds: readonly string[];
  /** The name of a stored hash's kind; `none` for null. */
  nameOf(hash: string | null): string;
  /**
   * Turns a password of another system into what `password_hash` keeps. `kind`: a name of `kinds`, or of the
   * settings of the system it comes from; null: by the form alone. `login`: the name there, which some kinds
   * hash with the password. A `plain` password is hashed at once.
   */
  read(given: {
    readonly text: string;
    readonly kind: string | null;
    readonly salt: string | null;
    readonly login: string | null;
  }): Promise<ReadPassword>;
}

import type { AccountId } from "../../kernel/ids.ts";

/** Who makes a change that is audited, in the audit's words: a username, `service:<name>` or `cli` (decisions, Admin). */
export type Issuer = string;

/** The issuer of everything that the command line does. */
export const commandLine: Issuer = "cli";

/** The issuer of what time does: roles and grants that end. */
export const system: Issuer = "system";

/** One change made by an administrator, a service or the command line. */
export type AuditEntry = {
  readonly issuer: Issuer;
  /** Dotted, noun first: `user.create`, `cape.upload`. */
  readonly action: string;
  /** The account that it concerns; null when none does. */
  readonly forAccountId: AccountId | null;
  /** Unix seconds. */
  readonly at: number;
  /** Old and new values. Never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/** Where entries go, within the transaction of the change that they tell of. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
}

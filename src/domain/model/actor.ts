import type { AccountId, SessionId } from "../../kernel/ids.ts";
import { usernameOf, type Member } from "./account.ts";

/** Who made a change, and through what: what an audit entry keeps of an actor. */
export type ActorRecord = {
  /**
   * The name in the audit: a username, `service:<name>`, `cli` or `system` (docs/contract/admin.md#audit).
   */
  readonly name: string;
  /**
   * The acting account, whose name may change; null for services, the command line and the program itself.
   */
  readonly accountId: AccountId | null;
  /**
   * `session:<id>` or `token:<id>` (`token:default` for the token that is a setting); null for the command
   * line and the program itself. No such id is a secret: it opens nothing without our signature, or the
   * token.
   */
  readonly via: string | null;
  /** The player for whom a launch server acts, as its token names it. */
  readonly speaksFor?: string;
};

/**
 * These actors have no right that could be taken away. No guarded route acts as one of them (`test/tidy`).
 */
const unchecked = { accountId: null, via: null, check: async () => undefined };

/** The actor of every command. */
export const commandLine = { name: "cli", ...unchecked };

/** The actor of housekeeping: levels and grants that end, and everything else that time does. */
export const system = { name: "system", ...unchecked } as const;

/** The actor of the page that makes the first administrator. No player may have its name. */
export const setupPage = { name: "console", ...unchecked };

/**
 * The actor where no session is needed: registration, sign-in, password reset, links in mails. Writes no
 * audit.
 */
export const anonymous = { name: "anonymous", ...unchecked };

/**
 * A member who acts through a session. The name is empty while the registration is unfinished; such a member
 * writes no audit.
 */
export function memberRecord(member: Member & { readonly sessionId: SessionId }): ActorRecord {
  return { name: usernameOf(member), accountId: member.account.id, via: `session:${member.sessionId}` };
}

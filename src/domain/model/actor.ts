import type { AccountId, SessionId } from "../../kernel/ids.ts";
import { playerOf, type Member } from "./account.ts";

/** Who makes a change, and through what. */
export type Actor = {
  /** In the audit's words: a username, `service:<name>`, `cli` or `system` (decisions, Admin). */
  readonly name: string;
  /** The acting account, whose name may change; null for services, the command line and the program itself. */
  readonly accountId: AccountId | null;
  /**
   * `session:<id>` or `token:<id>` (`token:default` for the one that is a setting); null for the command line and the program
   * itself. No such id is a secret: it opens nothing without our signature, or the token.
   */
  readonly via: string | null;
};

/** Acts in everything that the command line does. */
export const commandLine: Actor = { name: "cli", accountId: null, via: null };

/** Acts in what time does: roles and grants that end. */
export const system: Actor = { name: "system", accountId: null, via: null };

/** A member who acts through a session. Fails with forbidden while their registration is not finished. */
export function memberActor(member: Member & { readonly sessionId: SessionId }): Actor {
  return { name: playerOf(member).name, accountId: member.account.id, via: `session:${member.sessionId}` };
}

import type { FoundAccount } from "../../../domain/services/find-account.ts";

/** Somebody as services see them, in the contract's words (Service endpoints). */
export function presentFound({ member, identity }: FoundAccount) {
  return {
    social: { username: identity?.username ?? "", id: identity?.subject ?? "" },
    account: { username: member.player?.name ?? "", uuid: member.account.uuid },
  };
}

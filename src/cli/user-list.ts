import { text } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import type { ListedMember } from "../domain/model/account.ts";
import { refuseShortSearch } from "../domain/model/list-page.ts";
import type { AccountReads } from "../domain/ports/account-store.ts";
import { systemClock } from "../kernel/clock.ts";
import type { AccountId } from "../kernel/ids.ts";
import { limits } from "../kernel/limits.ts";
import { json } from "./arguments.ts";
import { command, UsageError } from "./command.ts";
import { tableText } from "./output.ts";
import { roleText, userRecord } from "./records.ts";

/** `user list`: prints a table of the accounts. */
export const userList = command({
  name: "user list",
  summary: "lists the accounts by id",
  options: {
    search: optional(
      text("TEXT"),
      "part of a username or mail address, three characters or more (two in Chinese, Japanese or Korean), or a whole id, UUID or username",
      "everybody",
    ),
    passwordKind: optional(
      text("KIND"),
      "only accounts whose password is hashed so: argon2id, bcrypt, md5, none",
      "all kinds",
    ),
    json,
  },
  run: async ({ search, passwordKind }, { withServices }) => {
    const now = systemClock.nowSeconds();
    const users = await withServices(async ({ reads, hasher, passwordForms }) => {
      const { kinds } = passwordForms;
      if (passwordKind !== null && !kinds.includes(passwordKind))
        throw new UsageError([`--password-kind must be one of ${kinds.join(", ")}`], "user list");
      return collectUsers(reads.accounts, search, (member, hash) => {
        const kind = hasher.nameOf(hash);
        if (passwordKind !== null && kind !== passwordKind) return null;
        return { member, record: { ...userRecord(member, now), password_kind: kind } };
      });
    });
    const head = ["id", "uuid", "username", "mail", "verified", "password", "level", "role"];
    return {
      record: users.map(({ record }) => record),
      text: tableText(
        head,
        users.map(({ member, record }) => userCells(member, record, now)),
      ),
    };
  },
});

type UserListed = ReturnType<typeof userRecord> & { readonly password_kind: string };

function userCells(member: ListedMember, record: UserListed, now: number): string[] {
  const { id, uuid, username, mail, mail_verify, password_kind, perms_permanent } = record;
  const verified = mail_verify === 1 ? "yes" : "no";
  const level = String(perms_permanent);
  const role = roleText(member, now);
  return [String(id), uuid, username || "-", mail || "-", verified, password_kind, level, role];
}

/** What a search finds, as `pick` returns it; null leaves a member out. */
async function collectUsers<Picked>(
  accounts: AccountReads,
  search: string | null,
  pick: (member: ListedMember, passwordHash: string | null) => Picked | null,
): Promise<readonly Picked[]> {
  const picked: Picked[] = [];
  let found = 0;
  let after: AccountId | null = null;
  for (;;) {
    const page: readonly ListedMember[] = await accounts.listMembers({
      after,
      rows: limits.pageRowsMax,
      search,
    });
    found += page.length;
    after = page.at(-1)?.account.id ?? after;
    const hashes = await accounts.listHashes(page.map(({ account }) => account.id));
    picked.push(...page.flatMap((member, at) => pick(member, hashes[at] ?? null) ?? []));
    if (page.length === limits.pageRowsMax) continue;
    refuseShortSearch("--search", search, found);
    return picked;
  }
}

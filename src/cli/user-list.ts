import { text } from "../boot/config/kinds.ts";
import { optional } from "../boot/config/options.ts";
import type { Member } from "../domain/model/account.ts";
import type { AccountReads } from "../domain/ports/account-store.ts";
import { refuseShortSearch } from "../domain/model/list-page.ts";
import { limits } from "../kernel/limits.ts";
import { command } from "./command.ts";
import { json, jsonText, tableText } from "./output.ts";
import { roleText, userRecord } from "./records.ts";
import { withServices } from "./with-services.ts";
import { systemClock } from "../kernel/clock.ts";

export const userList = command({
  name: "user list",
  summary: "lists the accounts by id",
  settings: "taken",
  options: {
    search: optional(
      text("TEXT"),
      "part of a username or mail address, three characters or more, or a whole id, UUID or username",
      "everybody",
    ),
    json,
  },
  run: async ({ search, json }, context) => {
    const members = await withServices(context, ({ reads }) => allMembers(reads.accounts, search));
    const now = systemClock.nowSeconds();
    if (json) return context.io.out(jsonText(members.map((member) => userRecord(member, now))));
    const head = ["id", "uuid", "username", "mail", "verified", "level", "role"];
    context.io.out(
      tableText(
        head,
        members.map((member) => userRow(member, now)),
      ),
    );
  },
});

function userRow(member: Member, now: number): string[] {
  const { id, uuid, username, mail, mail_verify, perms_permanent } = userRecord(member, now);
  const verified = mail_verify === 1 ? "yes" : "no";
  const level = String(perms_permanent);
  return [String(id), uuid, username || "-", mail || "-", verified, level, roleText(member, now)];
}

async function allMembers(accounts: AccountReads, search: string | null): Promise<Member[]> {
  const members: Member[] = [];
  for (;;) {
    const page = await accounts.listMembers({
      after: members.at(-1)?.account.id ?? null,
      rows: limits.pageRowsMax,
      search,
    });
    members.push(...page);
    if (page.length === limits.pageRowsMax) continue;
    refuseShortSearch("--search", search, members.length);
    return members;
  }
}

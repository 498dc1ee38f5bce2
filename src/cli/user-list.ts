import type { Member } from "../domain/accounts/account.ts";
import type { AccountReads } from "../domain/accounts/store.ts";
import { limits } from "../kernel/limits.ts";
import { command } from "./command.ts";
import { json, jsonText, tableText } from "./output.ts";
import { userRecord } from "./records.ts";
import { withServices } from "./with-services.ts";
import { systemClock } from "../kernel/clock.ts";

export const userList = command({
  name: "user list",
  summary: "lists the accounts by id",
  settings: "taken",
  options: { json },
  run: async ({ json }, context) => {
    const members = await withServices(context, (services) => allMembers(services.reads.accounts));
    const now = systemClock.nowSeconds();
    const records = members.map((member) => userRecord(member, now));
    if (json) return context.io.out(jsonText(records));
    const rows = records.map(({ id, uuid, username, mail, mail_verify, perms }) => {
      return [
        String(id),
        uuid,
        username || "-",
        mail || "-",
        mail_verify === 1 ? "yes" : "no",
        String(perms),
      ];
    });
    context.io.out(tableText(["id", "uuid", "username", "mail", "verified", "level"], rows));
  },
});

async function allMembers(accounts: AccountReads): Promise<Member[]> {
  const members: Member[] = [];
  for (;;) {
    const page = await accounts.listMembers({
      after: members.at(-1)?.account.id ?? null,
      rows: limits.pageRowsMax,
      search: null,
    });
    members.push(...page);
    if (page.length < limits.pageRowsMax) return members;
  }
}

import { AppError } from "../../kernel/errors.ts";
import { mailKey, parseMail } from "../model/mail-address.ts";
import type { BookAccount } from "../ports/plan-book.ts";
import { rankedPages, told, turnAway, type Planning } from "./planning.ts";

/** What systems write where a person gave no address. */
const placeholders: ReadonlySet<string> = new Set(["your@email.com"]);

/**
 * Decides which accounts come at all, and with which address. Of two with one address the account that is
 * here has it, and of those there the one that was seen last.
 */
export async function planMails(planning: Planning): Promise<void> {
  const { book, reads, rules } = planning;
  for await (const page of told(planning, "comparing addresses", rankedPages(book.rankedAccounts))) {
    const wanted = page.map((account) => ({ account, mail: addressOf(account.source.mail) }));
    const keys = wanted.flatMap(({ mail }) => (mail.address === null ? [] : mailKey(mail.address)));
    const taken = new Map((await reads.takenMails(keys)).map((row) => [row.key, row]));
    for (const { account, mail } of wanted) {
      const from = nameOf(account);
      if (account.source.suspended !== null && rules.onSuspended === "skip") {
        turnAway(book, "account", account, { decision: "skip", reason: "it is banned there", from });
      } else if (mail.address === null) {
        withoutMail(planning, account, mail.reason);
      } else {
        const here = taken.get(mailKey(mail.address));
        const isVerified = account.source.mailVerified || rules.trustsMail;
        if (here !== undefined && (here.isOwned || !isVerified)) {
          settleClash(planning, account, {
            address: mail.address,
            reason: "an account here has its address",
            rival: null,
          });
        } else {
          claimMail(planning, account, mail.address);
        }
      }
    }
  }
}

/** What an account is called in the report: the name it signs in by, else its address. */
export function nameOf({ source }: Pick<BookAccount, "source">): string | null {
  return source.login ?? source.mail;
}

/** An address that can be one; else the reason why it cannot. */
export function addressOf(
  text: string | null,
): { address: string; reason: "" } | { address: null; reason: string } {
  const given = text?.trim() ?? "";
  if (given === "" || placeholders.has(given.toLowerCase()))
    return { address: null, reason: "it has no mail address" };
  try {
    return { address: parseMail(given), reason: "" };
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    return { address: null, reason: "its mail address cannot be one" };
  }
}

function withoutMail({ book, rules }: Planning, account: BookAccount, reason: string): void {
  if (rules.onNoMail === "skip")
    turnAway(book, "account", account, { decision: "skip", reason, from: nameOf(account) });
  else book.setAccount(account.n, { reason: `${reason}: it comes without` });
}

function claimMail(planning: Planning, account: BookAccount, address: string): void {
  const { book } = planning;
  const owner = book.claim("mail", mailKey(address), account.n);
  if (owner === null) return book.setAccount(account.n, { mail: address });
  const rival = book.account(owner);
  settleClash(planning, account, { address, reason: "another account there has its address", rival });
}

type Clash = {
  readonly address: string;
  readonly reason: string;
  /** The account there that has the address; null: one here has it. */
  readonly rival: BookAccount | null;
};

function settleClash(
  { book, rules }: Planning,
  account: BookAccount,
  { address, reason, rival }: Clash,
): void {
  const from = nameOf(account);
  if (rules.onMailClash === "ask") {
    const how = `${reason}: --on-mail-clash says what to do`;
    return turnAway(book, "account", account, { decision: "ask", reason: how, from });
  }
  if (rules.onMailClash === "skip")
    return turnAway(book, "account", account, { decision: "skip", reason, from: address });
  if (rules.onMailClash === "merge" && rival !== null && mayMerge(account, rival, rules.trustsMail)) {
    book.mergeAccount(account.n, rival.n);
    const to = nameOf(rival);
    return book.decide({
      kind: "account",
      decision: "merge",
      source: account.source.key,
      from,
      to,
      reason: "its players join the account that has its address",
    });
  }
  book.setAccount(account.n, { reason: `${reason}: it comes without` });
}

/** Only a proven address shows that two accounts are one person's; and a ban must not get lost. */
function mayMerge(one: BookAccount, other: BookAccount, trusts: boolean): boolean {
  const isProven = trusts || (one.source.mailVerified && other.source.mailVerified);
  return isProven && one.source.suspended === null && other.source.suspended === null;
}

import type { AccountReads, AccountStore } from "../../domain/ports/account-store.ts";
import { countRows } from "./counts.ts";
import { accountFinder, accountReads as sharedReads } from "../sql/account-reads.ts";
import { accountWrites } from "../sql/account-writes.ts";
import { pagesOf } from "./pages.ts";
import type { Sender } from "../sql/sender.ts";
import type { Touch } from "../sql/touch.ts";

export function accountReads(db: Sender): AccountReads {
  return sharedReads(db, pagesOf(db, "accounts", accountFinder(db)), (name) => countRows(db, name));
}

export function accountStore(db: Sender, touch: Touch): AccountStore {
  return { ...accountReads(db), ...accountWrites(db, touch) };
}

import type { AccountId } from "../../kernel/ids.ts";
import type { Alias } from "../model/account.ts";

/** What is read of aliases: names by which accounts sign in beside their players' names. */
export interface AliasReads {
  /**
   * The account that signs in by a name (in the form of `nameKey`); null when no account has it as an alias.
   */
  findAliasOwner(nameKey: string): Promise<AccountId | null>;
  /** The account's aliases, the oldest first, equal times by name: `limits.aliasesShownMax` at most. */
  listAliases(account: AccountId): Promise<readonly Alias[]>;
}

/** What is written of aliases. Imports bring them; see `ImportStore`. */
export interface AliasStore extends AliasReads {
  /** Deletes an alias of the account by its name (in the form of `nameKey`). False: it has no such alias. */
  deleteAlias(account: AccountId, nameKey: string): Promise<boolean>;
}

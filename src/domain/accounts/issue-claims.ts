import { commandLine } from "../model/actor.ts";
import { codeSecondsOf, newCode, type CodeHasher } from "../model/code.ts";
import type { Claimable } from "../ports/claim-store.ts";
import type { Reads } from "../ports/stores.ts";
import type { Transact } from "../ports/unit-of-work.ts";

/** An account with the code by which its person takes it over. */
export type IssuedClaim = Claimable & { readonly code: string };

/**
 * Makes a code for each account that an import of this source brought without any way to sign in: it has
 * neither mail address nor password nor social account. It replaces the account's earlier code. Yields
 * some at a time, after they are stored; the codes are known to the caller alone. Operators do this on the
 * command line. Writes audit.
 */
export async function* issueClaims(
  deps: {
    readonly reads: Pick<Reads, "claims">;
    readonly transact: Transact;
    readonly codes: { readonly hash: CodeHasher };
  },
  source: string,
): AsyncIterable<readonly IssuedClaim[]> {
  let accounts = 0;
  try {
    for (let after: string | null = ""; after !== null;) {
      const page: string = after;
      const found = await deps.reads.claims.listClaimable(source, page);
      if (found.accounts.length > 0) {
        const issued = await issueSome(deps, source, page);
        accounts += issued.length;
        yield issued;
      }
      after = found.last;
    }
  } finally {
    if (accounts > 0) await record(deps, { name: source, accounts });
  }
}

/** Looks again: since the list was read a person may have set an address or a password. */
function issueSome(
  { transact, codes }: Pick<Parameters<typeof issueClaims>[0], "transact" | "codes">,
  source: string,
  after: string,
): Promise<readonly IssuedClaim[]> {
  return transact(commandLine, async (tx) => {
    const { accounts } = await tx.claims.listClaimable(source, after);
    const issued = accounts.map((one) => ({ ...one, code: newCode() }));
    const expiresAt = tx.now + codeSecondsOf("claim");
    await tx.codes.putCodes(
      issued.map(({ id, code }) => ({
        accountId: id,
        purpose: "claim",
        hash: codes.hash(code),
        mail: "",
        expiresAt,
      })),
    );
    return issued;
  });
}

function record(
  { transact }: { readonly transact: Transact },
  facts: { readonly name: string; readonly accounts: number },
): Promise<void> {
  return transact(commandLine, async (tx) => tx.audit("import.claims", null, facts));
}

import type { Clock } from "../../kernel/clock.ts";
import type { Signer, SigningKey } from "../ports/signer.ts";
import type { Actor, Transact } from "../ports/unit-of-work.ts";

type Deps = { readonly signer: Signer; readonly transact: Transact; readonly clock: Clock };

/**
 * Replaces the signing key. The former key's public half stays announced for two days. Operators may. Writes
 * audit. Fails with conflict while another process does the same, and with internal where keys cannot be read
 * or written.
 */
export async function rotateKey({ signer, transact, clock }: Deps, actor: Actor): Promise<SigningKey> {
  await signer.rotate(clock.nowSeconds());
  const key = await signer.key();
  await transact(actor, async (tx) => {
    tx.audit("key.rotate", null, { sha256: key.id, announced_before: key.previous.length });
  });
  return key;
}

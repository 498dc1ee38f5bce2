import { isFastName, nameOf } from "../../adapters/passwords/hash-kinds.ts";
import { inDatabase } from "./database.ts";
import { ok, warning, type Finding } from "./finding.ts";

/**
 * Hashes of other systems: those that a thief of the database would break, and those that wait for a sign-in.
 */
export const checkPasswords = inDatabase(async (inspection): Promise<readonly Finding[]> => {
  const counts = new Map<string, number>();
  for (const { head, hashes } of await inspection.countOtherHashes()) {
    const name = nameOf(head);
    counts.set(name, (counts.get(name) ?? 0) + hashes);
  }
  const all = [...counts].toSorted(([, one], [, other]) => other - one);
  const unreadable = all.filter(([name]) => name === "unknown");
  const fast = all.filter(([name]) => isFastName(name));
  const slow = all.filter(([name]) => !isFastName(name) && name !== "unknown");
  const findings: Finding[] = [];
  if (fast.length > 0)
    findings.push(
      warning(
        `fast hashes of another system, which a thief of the database breaks in hours: ${countsText(fast)}`,
        "let the server run: it wraps them in slow ones in the background",
      ),
    );
  if (unreadable.length > 0)
    findings.push(
      warning(
        `hashes of a kind that is not known: ${countsText(unreadable)}`,
        "cloakroom user list --password-kind unknown names the accounts; a reset sets a password",
      ),
    );
  if (slow.length > 0) findings.push(ok(`replaced at the owner's next sign-in: ${countsText(slow)}`));
  return findings.length > 0 ? findings : [ok("all are hashed with Argon2id, as new ones are")];
});

function countsText(counts: readonly (readonly [name: string, hashes: number])[]): string {
  return counts.map(([name, hashes]) => `${hashes} ${name}`).join(", ");
}

/**
 * Fast hashes that were hashed again, because their passwords are not known before the next sign-in:
 * `$wrapped$<kind>$<salt>$` and the Argon2id hash of the digest, or `$wrapped$<kind>$` and that hash for a
 * kind without a salt.
 */
import type { HashKind } from "./kind.ts";
import { argon2, verify } from "./slow-kinds.ts";

const [argon2id] = argon2;

/** The wrapped form of a kind; null for one that is slow enough. */
export function wrappedKind(kind: HashKind): HashKind | null {
  const { digest } = kind;
  if (digest === undefined || argon2id === undefined) return null;
  const head = `$wrapped${kind.head}`;
  return {
    name: `wrapped-${kind.name}`,
    head,
    read: (hash) => {
      const at = hash.indexOf(argon2id.head, head.length);
      if (at < 0) return null;
      const [field, inner] = [hash.slice(head.length, at), hash.slice(at)];
      const slow = argon2id.read(inner);
      if (slow === null || kind.read(`${kind.head}${field}${anyResult(kind)}`) === null) return null;
      return {
        effort: `${head}${digest.effortIn(field)}${slow.effort}`,
        fits: async (password) => verify(await digest.of(password, field), inner),
      };
    },
    milliseconds: (effort) => {
      const [fast, slow] = partsOf(effort, head);
      return kind.milliseconds(`${kind.head}${fast}`) + argon2id.milliseconds(slow);
    },
    dummy: (effort) => {
      const [fast, slow] = partsOf(effort, head);
      return `${head}${digest.dummyField(fast)}${argon2id.dummy(slow)}`;
    },
  };
}

/** The fast kind's part of an effort, and Argon2's. */
function partsOf(effort: string, head: string): readonly [fast: string, slow: string] {
  const at = effort.indexOf("$argon2id$", head.length);
  return [effort.slice(head.length, at), effort.slice(at)];
}

/**
 * The end of some hash of the kind, so that its form can be tried without the digest that is not known any
 * more.
 */
function anyResult(kind: HashKind): string {
  const effort = kind.digest?.effortIn("B") ?? "";
  const dummy = kind.dummy(`${kind.head}${effort}`);
  return dummy.slice(dummy.lastIndexOf("$") + 1);
}

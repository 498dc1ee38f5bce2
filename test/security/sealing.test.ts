import { expect, test } from "bun:test";
import { createDecipheriv, scryptSync } from "node:crypto";
import { passphraseSealing } from "../../src/adapters/sealing/passphrase-sealing.ts";

const passphrase = "a passphrase of some length";
const sealed = await passphraseSealing.seal(Buffer.from("what must stay secret"), passphrase);

/** Where each part begins: salt, nonce, tag, text. */
test.each([
  ["salt", 0],
  ["nonce", 16],
  ["tag", 28],
  ["text", 44],
])("sealed secrets do not open once a bit of their %s has changed", async (_, at) => {
  const changed = Buffer.from(sealed);
  changed[at] = (changed[at] ?? 0) ^ 1;
  expect(await passphraseSealing.open(changed, passphrase)).toBeNull();
  expect(await passphraseSealing.open(sealed, passphrase)).toEqual(Buffer.from("what must stay secret"));
});

test("the same secrets are sealed otherwise each time", async () => {
  const again = await passphraseSealing.seal(Buffer.from("what must stay secret"), passphrase);
  for (const [from, to] of [
    [0, 16],
    [16, 28],
    [44, sealed.length],
  ] as const) {
    expect(Buffer.from(again).subarray(from, to)).not.toEqual(Buffer.from(sealed).subarray(from, to));
  }
});

/** Worked out beside the program: what it says of itself would hold for any cost. */
test("sealed secrets are AES-256-GCM under a key that scrypt makes from 128 MiB", () => {
  const [salt, nonce, tag, text] = [0, 16, 28, 44].map((at, part, starts) =>
    Buffer.from(sealed).subarray(at, starts[part + 1]),
  );
  if (!salt || !nonce || !tag || !text) throw new Error("It has four parts");
  const key = scryptSync(passphrase, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 });
  const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAuthTag(tag);
  expect(Buffer.concat([decipher.update(text), decipher.final()]).toString()).toBe("what must stay secret");
});

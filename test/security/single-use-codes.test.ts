/* A code is used up by its use, and by nothing that its use does besides: routes that forget to remove codes change nothing about it. */
import { expect, test } from "bun:test";
import { consumeCode, issueCode } from "../../src/domain/accounts/issue-code.ts";
import { anonymous } from "../../src/domain/model/actor.ts";
import { showCode, type CodePurpose } from "../../src/domain/model/code.ts";
import { openHarness } from "../support/harness.ts";
import { addMember } from "../support/members.ts";

const purposes: readonly CodePurpose[] = ["confirm", "reset", "mail"];
const hash = (code: string) => `hash of ${code}`;
const badCode = { code: "invalid" };

test.each(purposes)(
  "a code of %s is used up in the transaction that uses it, and stays so",
  async (purpose) => {
    await using harness = await openHarness();
    const { account, mail } = await addMember(harness, "Anna");
    const { transact } = harness.services;
    const text = await transact(anonymous, (tx) =>
      issueCode(tx, { hash, limitFactor: 0 }, { account: account.id, purpose, mail }),
    );
    const ways = [text, text.toLowerCase(), showCode(text)];
    // What fails in the same transaction gives the code back.
    await transact(anonymous, async (tx) => {
      expect(await consumeCode(tx, hash, { text, purpose })).toMatchObject({ accountId: account.id });
      for (const again of ways)
        expect(await consumeCode(tx, hash, { text: again, purpose }).catch((cause) => cause)).toMatchObject(
          badCode,
        );
    });
    for (const again of ways)
      expect(
        await transact(anonymous, (tx) => consumeCode(tx, hash, { text: again, purpose })).catch(
          (cause) => cause,
        ),
      ).toMatchObject(badCode);
  },
);

test.each(purposes)("of many uses of a code of %s at once one succeeds", async (purpose) => {
  await using harness = await openHarness();
  const { account, mail } = await addMember(harness, "Anna");
  const { transact } = harness.services;
  const text = await transact(anonymous, (tx) =>
    issueCode(tx, { hash, limitFactor: 0 }, { account: account.id, purpose, mail }),
  );
  const uses = Array.from({ length: 20 }, () =>
    transact(anonymous, (tx) => consumeCode(tx, hash, { text, purpose })),
  );
  const results = await Promise.allSettled(uses);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

/* A code is used up by its use: however it is spelled, and however many use it at once. */
import { expect, test } from "bun:test";
import type { CodePurpose } from "../../src/domain/model/code.ts";
import { openHarness, type Harness } from "../support/harness.ts";
import { addMember, claimCode } from "../support/members.ts";
import { orderCode, orderMailCode, send, spellings, statusesOf } from "../support/registration.ts";

const password = "x7-Kq!m2-racer";
const mail = "nora@example.org";

type Ordered = { readonly code: string; readonly use: (code: string) => Promise<Response> };

/** How a code of each purpose comes about, and how it is used. */
const ways: Readonly<Record<CodePurpose, (harness: Harness) => Promise<Ordered>>> = {
  confirm: async (harness) => ({
    code: await orderCode(harness, "confirm", mail, password),
    use: (code) => send(harness, "POST /api/auth/confirm", { code }),
  }),
  reset: async (harness) => ({
    code: await orderCode(harness, "reset", (await addMember(harness, "Anna")).mail),
    use: (code) => send(harness, "POST /api/auth/forgetpass/update", { code, password }),
  }),
  mail: async (harness) => {
    const member = await addMember(harness, "Anna");
    const { authorization } = member;
    return {
      code: await orderMailCode(harness, member, mail),
      use: (code) =>
        send(harness, "POST /api/home/mail/validate", { code, password: member.password }, { authorization }),
    };
  },
  claim: async (harness) => ({
    code: await claimCode(harness, "Anna"),
    use: (code) => send(harness, "POST /api/auth/claim", { code, mail, password }),
  }),
};
const purposes = Object.entries(ways);

test.each(purposes)(
  "a code of %s is used up by its use, and stays so in every spelling",
  async (purpose, order) => {
    await using harness = await openHarness();
    const { code, use } = await order(harness);
    expect((await use(code)).status).toBe(200);
    for (const again of spellings(code)) expect((await use(again)).status).toBe(400);
    const kept = harness.database.rows("SELECT purpose FROM codes").map(({ purpose: one }) => one);
    // A claim mails a code for its address.
    expect(kept).toEqual(purpose === "claim" ? ["confirm"] : []);
  },
);

test.each(purposes)("of many uses of a code of %s at once one succeeds", async (_, order) => {
  await using harness = await openHarness();
  const { code, use } = await order(harness);
  const statuses = await statusesOf(Array.from({ length: 4 }, () => use(code)));
  expect(statuses).toEqual([200, 400, 400, 400]);
});

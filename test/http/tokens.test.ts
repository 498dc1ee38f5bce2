import { describe, expect, test } from "bun:test";
import type { Member } from "../../src/domain/model/account.ts";
import type { Session } from "../../src/domain/ports/session-store.ts";
import { createTokens } from "../../src/http/tokens.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { newUuid, type AccountId, type SessionId } from "../../src/kernel/ids.ts";
import { jwtSecret, publicUrl } from "../support/harness.ts";
import { claimsOf, forge } from "../support/tokens.ts";

const start = Date.UTC(2100, 0, 1) / 1000;

/** Tokens on a clock that stands still until a test turns it. */
function openTokens() {
  let now = start;
  const clock = { nowSeconds: () => now, steadySeconds: () => now };
  const tokens = createTokens({ secret: jwtSecret, issuer: publicUrl, clock });
  return { ...tokens, turn: (seconds: number) => void (now += seconds) };
}

const account = {
  id: 1 as AccountId,
  uuid: newUuid(),
  mail: null,
  registration: "unnamed",
  mailVerified: true,
  passwordHash: null,
  permanentLevel: 1,
  temporaryLevel: null,
  wantsBulkMail: true,
  deleteAt: null,
  playersMax: null,
  language: "en",
  createdAt: start,
} as const;
const member: Member = { account, player: null };
const session: Session = {
  id: newUuid() as string as SessionId,
  accountId: account.id,
  createdAt: start,
  expiresAt: start + 60,
  lastUsedAt: start,
  address: "192.0.2.1",
  userAgent: "",
  kind: "web",
  playerId: null,
  methods: ["password"],
  provedAt: start,
  tokenHash: null,
  clientToken: null,
  refreshOnly: false,
  idleSeconds: null,
};

async function outcome(read: Promise<unknown>): Promise<string> {
  const error = await read.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error === null) return "taken";
  return error instanceof AppError ? error.kind : `no AppError: ${JSON.stringify(error)}`;
}

describe("a token", () => {
  test("says the same each time that it is read", async () => {
    const { issue, read } = openTokens();
    const header = `Bearer ${await issue({ session, member })}`;
    for (let time = 0; time < 3; time++) {
      expect(await read(header)).toEqual({
        sessionId: session.id,
        accountUuid: account.uuid,
        expiresAt: session.expiresAt,
      });
    }
  });

  test.each([
    ["read before", true],
    ["never read before", false],
  ])("that was %s ends at its second", async (_, before) => {
    const { issue, read, turn } = openTokens();
    const header = `Bearer ${await issue({ session, member })}`;
    if (before) await read(header);
    turn(59);
    if (before) expect(await outcome(read(header))).toBe("taken");
    turn(1);
    expect(await outcome(read(header))).toBe("unauthenticated");
    expect(await outcome(read(header))).toBe("unauthenticated");
  });

  test("is no passport for one that differs in its signature", async () => {
    const { issue, read } = openTokens();
    const jwt = await issue({ session, member });
    await read(`Bearer ${jwt}`);
    const forged = forge(claimsOf(jwt), { secret: `${jwtSecret}!` });
    expect(await outcome(read(`Bearer ${forged}`))).toBe("unauthenticated");
    expect(await outcome(read(`Bearer ${forged}`))).toBe("unauthenticated");
  });

  test("is refused with another key, although that has read it", async () => {
    const { issue, read } = openTokens();
    const header = `Bearer ${await issue({ session, member })}`;
    await read(header);
    const others = createTokens({
      secret: `${jwtSecret}!`,
      issuer: publicUrl,
      clock: { nowSeconds: () => start, steadySeconds: () => start },
    });
    expect(await outcome(others.read(header))).toBe("unauthenticated");
  });
});

test("tokens are read after 10,000 others, too", async () => {
  const { issue, read } = openTokens();
  const first = `Bearer ${await issue({ session, member })}`;
  await read(first);
  const payload = claimsOf(first.slice("Bearer ".length));
  for (let n = 0; n < 10_001; n++) await read(`Bearer ${forge({ ...payload, n })}`);
  expect(await outcome(read(first))).toBe("taken");
});

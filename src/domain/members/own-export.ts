/** Everything that an account has, for the person whose account it is (docs/contract/home.md#export). */
import type { Clock } from "../../kernel/clock.ts";
import { limits } from "../../kernel/limits.ts";
import { zipOf, type ZipEntry } from "../../kernel/zip.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { levelInForce, usernameOf, uuidOf, type Account, type Member } from "../model/account.ts";
import { mailKey } from "../model/mail-address.ts";
import { refusals } from "../model/refusals.ts";
import { inForce } from "../model/suspension.ts";
import type { Texture } from "../model/texture.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { OutboxEntry } from "../ports/outbox-store.ts";
import type { Reads } from "../ports/stores.ts";
import type { Actor } from "../ports/unit-of-work.ts";
import type { SessionActivity } from "../sessions/activity.ts";
import { listSessions, type SignedInMember } from "../sessions/session.ts";
import { readTexture } from "../textures/stored-file.ts";

type Deps = {
  readonly reads: Reads;
  readonly blobs: Pick<BlobStore, "read">;
  readonly clock: Clock;
  /** Uses of sessions that are not written yet. */
  readonly activity: SessionActivity;
};

/** Rows that are in memory at one time for each export. */
const pageRows = 500;

/**
 * Begins an export for the member, and yields the archive in pieces as it is taken. What is read later is
 * read only while the actor still has the right. Fails with forbidden for a sign-in that is older than
 * `limits.freshSignInSeconds`, and with limited for a fourth export within a day.
 */
export async function exportOwn(
  deps: Deps & { readonly limits: Pick<RateLimits, "ownExport"> },
  actor: Actor,
  member: SignedInMember,
): Promise<AsyncGenerator<Uint8Array>> {
  const now = deps.clock.nowSeconds();
  const { freshSignInSeconds: period } = limits;
  // A time in the future is from before the clock was set back.
  if (Math.abs(now - member.signedInAt) > period) throw refusals.signInTooOld(period / 60);
  await deps.limits.ownExport.take({ account: member.account.id });
  const { sessions, serviceTokens } = deps.reads;
  const check = async () =>
    void (await actor.check({ sessions, serviceTokens, now: deps.clock.nowSeconds() }));
  return archiveOf(deps, member, check);
}

/**
 * The archive of a member. The caller checks who may have it; `check` is asked before each part and may
 * throw.
 */
export function archiveOf(
  deps: Deps,
  member: Member,
  check: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  return zipOf(entriesOf(deps, member, check), deps.clock.nowSeconds());
}

async function* entriesOf(deps: Deps, member: Member, check: () => Promise<void>): AsyncGenerator<ZipEntry> {
  const { account } = member;
  const textures = new Map<string, Texture>();
  const profile = await profileOf(deps, member, (texture) => {
    textures.set(texture.digest, texture);
    return fileOf(texture);
  });
  yield textEntry("profile.json", `${JSON.stringify(profile, null, 2)}\n`);
  const sessions = await listSessions(deps, member);
  yield textEntry("sessions.json", `${JSON.stringify(sessions.map(sessionFacts), null, 2)}\n`);
  yield { name: "audit.json", content: jsonList(auditPages(deps, account, check)) };
  yield { name: "mails.json", content: jsonList(mailPages(deps, account, check)) };
  for (const texture of textures.values()) {
    await check();
    const png = await readTexture(deps.blobs, texture);
    // Of a skin that was deleted meanwhile, or a file that was lost.
    if (typeof png !== "string") yield { name: fileOf(texture), content: png };
  }
}

function fileOf({ digest }: Pick<Texture, "digest">): string {
  return `textures/${digest}.png`;
}

/** All of the account but what has a file of its own. `keep` gets each texture, and names its file. */
async function profileOf(
  { reads, clock }: Deps,
  member: Member,
  keep: (texture: Texture) => string,
): Promise<object> {
  const { account } = member;
  const now = clock.nowSeconds();
  const { skins, capes, identity } = await reads.accounts.findBelongings(account.id, now);
  const players = await reads.players.listLooks(account.id);
  const wings: (Texture | null)[] = [];
  for (const { wingsHash } of capes)
    wings.push(wingsHash === null ? null : await reads.textures.findTexture(wingsHash));
  const fileOfWings = (texture: Texture | null) => (texture === null ? null : keep(texture));
  return {
    username: usernameOf(member),
    uuid: uuidOf(member),
    ...(await accountFacts(reads, account, now)),
    players: players.map(({ player, isMain, skin, cape }) => ({
      uuid: player.uuid,
      name: player.name,
      main: isMain,
      created: player.createdAt,
      skin,
      cape,
      shares_skin: player.sharesSkin,
    })),
    skins: skins.map((skin) => ({
      uuid: skin.uuid,
      name: skin.name,
      model: skin.model,
      cape: capes.find(({ id }) => id === skin.capeId)?.uuid ?? null,
      created: skin.createdAt,
      file: keep(skin.texture),
    })),
    capes: capes.map((cape, at) => ({
      uuid: cape.uuid,
      name: cape.name,
      expires_at: cape.grantExpiresAt,
      file: keep(cape.texture),
      wings: fileOfWings(wings[at] ?? null),
    })),
    connections: [identity].flatMap((one) => (one === null ? [] : [connectionFacts(one)])),
    suspended: await suspensionOf(reads, account, now),
    aliases: (await reads.aliases.listAliases(account.id)).map(({ name, createdAt }) => ({
      name,
      created: createdAt,
    })),
  };
}

async function accountFacts(reads: Reads, account: Account, now: number): Promise<object> {
  return {
    account: account.uuid,
    mail: account.mail,
    mail_verified: account.mailVerified,
    language: account.language,
    level: levelInForce(account, now),
    wants_bulk_mail: account.wantsBulkMail,
    players_max: account.playersMax,
    created: account.createdAt,
    last_seen: await reads.accounts.findLastSeen(account.id),
    has_password: account.passwordHash !== null,
    deletes_at: account.deleteAt,
  };
}

async function suspensionOf(reads: Reads, { id }: Account, now: number): Promise<object | null> {
  const held = inForce(await reads.suspensions.findSuspension(id), now);
  return held === null ? null : { until: held.until, reason: held.reason };
}

type Identity = NonNullable<Awaited<ReturnType<Reads["accounts"]["findBelongings"]>>["identity"]>;

function connectionFacts({ provider, issuer, subject, username, avatar, linkedAt }: Identity): object {
  return { provider, issuer, id: subject, username, avatar, linked: linkedAt };
}

function sessionFacts(session: Awaited<ReturnType<typeof listSessions>>[number]): object {
  const { kind, createdAt, lastUsedAt, expiresAt, address, userAgent, methods } = session;
  return {
    kind,
    created: createdAt,
    last_used: lastUsedAt,
    expires: expiresAt,
    address,
    user_agent: userAgent,
    methods,
  };
}

/** What entries say of other people, and by which of the staff something was done. */
const ofOthers: ReadonlySet<string> = new Set([
  "by",
  "filter",
  "for",
  "iss",
  "issuer",
  "owner",
  "owners",
  "owners_of",
  "search",
  "users",
]);

/** The entries about the account, the newest first. */
async function* auditPages(
  { reads }: Deps,
  { id }: Account,
  check: () => Promise<void>,
): AsyncGenerator<readonly object[]> {
  const filter = { ...anyEntry, forAccountId: id };
  for (let after: number | null = null; ;) {
    await check();
    const page: Awaited<ReturnType<Reads["audit"]["listEntries"]>> = await reads.audit.listEntries(
      { after, rows: pageRows, search: null },
      filter,
    );
    yield page.map(({ action, at, actor, detail }) => ({
      action,
      time: at,
      by_you: actor.accountId === id,
      detail: withoutOthers(detail),
    }));
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return;
    after = last.id;
  }
}

const anyEntry = {
  forAccountId: null,
  actorAccountId: null,
  actor: null,
  action: null,
  since: null,
  until: null,
} as const;

function withoutOthers(detail: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = Object.entries(detail).filter(([name]) => !ofOthers.has(name));
  return Object.fromEntries(
    own.map(([name, value]) => {
      const isGroup = (name === "old" || name === "new") && typeof value === "object" && value !== null;
      return [name, isGroup ? withoutOthers({ ...value }) : value];
    }),
  );
}

/**
 * The mails to the account's address since the account is there, without their contents. An address that was
 * not shown to be theirs may be another person's.
 */
async function* mailPages(
  { reads }: Deps,
  { mail, mailVerified, createdAt: since }: Account,
  check: () => Promise<void>,
): AsyncGenerator<readonly object[]> {
  if (mail === null || !mailVerified) return;
  for (let after: OutboxEntry | null = null; ;) {
    await check();
    const page: readonly OutboxEntry[] = await reads.outbox.listMailsTo({
      to: mailKey(mail),
      since,
      after,
      rows: pageRows,
    });
    yield page.map(({ template, language, state, createdAt, dueAt }) => ({
      kind: template,
      language,
      state,
      created: createdAt,
      due: dueAt,
    }));
    after = page.at(-1) ?? null;
    if (after === null || page.length < pageRows) return;
  }
}

/** A list in JSON, a line for each of its things. */
async function* jsonList(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let count = 0;
  yield "[";
  for await (const page of pages) {
    if (page.length === 0) continue;
    const lines = page.map((one) => `\n${JSON.stringify(one)}`);
    yield `${count === 0 ? "" : ","}${lines.join(",")}`;
    count += page.length;
  }
  yield count === 0 ? "]\n" : "\n]\n";
}

function textEntry(name: string, text: string): ZipEntry {
  return { name, content: once(text) };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

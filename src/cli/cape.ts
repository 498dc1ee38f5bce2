import { capeKey, instant, path, text } from "../boot/config/kinds.ts";
import { atLeastOne, optional, repeated, required } from "../boot/config/options.ts";
import type { Ports } from "../boot/compose.ts";
import { findMember } from "../domain/accounts/identifier.ts";
import { grantCape, revokeCape } from "../domain/members/grants.ts";
import { commandLine } from "../domain/model/actor.ts";
import type { Cape } from "../domain/model/texture.ts";
import { addCape, deleteCape, withGrants, type ListedCape } from "../domain/textures/capes.ts";
import { PlainError } from "../kernel/errors.ts";
import type { AccountId } from "../kernel/ids.ts";
import { identifierKind, json } from "./arguments.ts";
import { command } from "./command.ts";
import { aboutFile, readInput } from "./faults.ts";
import { countText, pageAfter, pagesOf, printList } from "./output.ts";
import { listedCapeRecord, ownedCapeRecord, timeText } from "./records.ts";

const cape = required(capeKey, "the cape's uuid or id");
const until = optional(instant, "when they may no longer wear it", "never");

/** `cape add`: prints the new cape and its owners. */
export const capeAdd = command({
  name: "cape add",
  summary: "makes a cape and grants it to its owners",
  options: {
    file: required(path("FILE"), "PNG file of 64x32, 22x17, 46x22 or a multiple"),
    name: required(text("NAME"), "what its owners see"),
    owner: repeated(identifierKind, "a user who may wear it"),
    until,
    json,
  },
  run: async ({ file, name, owner, until }, { withServices }) => {
    const record = await withServices(async (services, { rules }) => {
      refusePast(until, services.clock.nowSeconds());
      const owners = await findOwners(services, owner);
      const input = { file: await readInput(file, rules.textures.bytesMax), name, owners, expiresAt: until };
      return ownedCapeRecord(await addCape(services, commandLine, input).catch(aboutFile(file)));
    });
    const owners = countText(record.owners.length, "owner");
    return { record, text: `cape ${record.id} (${record.uuid}, ${record.name}), ${owners}\n` };
  },
});

/** Each cape comes with a thousand grants at most. */
const pageRows = 100;
const head = ["id", "uuid", "name", "size", "owners", "by"];

/** `cape list`: prints a table of all capes, or JSON with their grants. */
export const capeList = command({
  name: "cape list",
  summary: "lists the capes by id",
  details: "With --json each comes with the hash of its bitmap and its first 1000 grants.",
  options: { json },
  run: async ({ json }, { io, withServices }) => {
    await withServices(async ({ reads: { textures } }) => {
      const read = async (after: number) =>
        withGrants(textures, await textures.listAllCapes(pageAfter(after, pageRows)));
      const pages = pagesOf(read, ({ cape }) => cape.id);
      const total = await textures.countAllCapes(null);
      await printList(io, json, { pages, total, head, cells: capeCells, record: listedCapeRecord });
    });
  },
});

function capeCells({ cape, count }: ListedCape): string[] {
  const { id, uuid, name, texture, uploadedBy } = cape;
  return [String(id), uuid, name, `${texture.width}x${texture.height}`, String(count), uploadedBy];
}

/** `cape grant`: prints the cape and who may wear it from now on. */
export const capeGrant = command({
  name: "cape grant",
  summary: "lets users wear a cape, beside those who already may",
  details: "It replaces the end of an earlier grant to the same user.",
  positionals: { cape },
  options: { owner: atLeastOne(identifierKind, "a user who may wear it"), until, json },
  run: async ({ cape: key, owner, until }, { withServices }) =>
    withServices(async (services) => {
      refusePast(until, services.clock.nowSeconds());
      const accounts = await findOwners(services, owner);
      const cape = await grantCape(services, commandLine, { cape: key, accounts, expiresAt: until });
      const end = until === null ? "" : ` until ${timeText(until)}`;
      return changedCape(services, cape, `${countText(accounts.length, "user")} may wear it${end}`);
    }),
});

/** `cape revoke`: prints the cape and who lost it. */
export const capeRevoke = command({
  name: "cape revoke",
  summary: "takes a cape from users, and off their skins",
  positionals: { cape },
  options: { owner: atLeastOne(identifierKind, "a user who may no longer wear it"), json },
  run: async ({ cape: key, owner }, { withServices }) =>
    withServices(async (services) => {
      const accounts = await findOwners(services, owner);
      const cape = await revokeCape(services, commandLine, { cape: key, accounts });
      return changedCape(services, cape, `${countText(accounts.length, "user")} may not wear it`);
    }),
});

/** `cape delete`: prints the deleted cape. Exits with 1 for an unknown one. */
export const capeDelete = command({
  name: "cape delete",
  summary: "deletes a cape, and takes it off every skin",
  details: "It does not ask, and cannot be undone.",
  positionals: { cape },
  run: async ({ cape: key }, { withServices }) =>
    withServices(async (services) => {
      const found = await services.reads.textures.findCape(key);
      if (found === null) throw new PlainError("not_found", `there is no cape ${key.value}`);
      return `deleted ${capeText(await deleteCape(services, commandLine, found.uuid))}\n`;
    }),
});

async function changedCape({ reads }: Ports, cape: Cape, change: string) {
  const [record] = (await withGrants(reads.textures, [cape])).map(listedCapeRecord);
  return { record, text: `${capeText(cape)}: ${change}\n` };
}

function capeText({ id, name }: Cape): string {
  return `cape ${id} (${name})`;
}

/**
 * The accounts that these identifiers name, each once. Fails with not_found for the first that names no
 * account.
 */
async function findOwners({ reads }: Ports, identifiers: readonly string[]): Promise<readonly AccountId[]> {
  const members = await Promise.all(identifiers.map((one) => findMember(reads.accounts, one)));
  return [...new Set(members.map(({ account }) => account.id))];
}

function refusePast(until: number | null, now: number): void {
  if (until !== null && until <= now) throw new PlainError("invalid", "--until must lie in the future");
}

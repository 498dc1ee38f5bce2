/* The writes that matter most, each asked of a node over HTTP and counted in the database. */
import type { SQL } from "bun";
import type { NodeProcess, Nodes } from "../nodes/node-processes.ts";
import { skinPng } from "../support/textures.ts";
import { formOf, password } from "./people.ts";
import { askAt, type Request } from "./service.ts";

export type Write = {
  readonly name: string;
  /** What is done once for each number. `prepare` is asked before, when nothing fails. */
  readonly prepare?: (number: number) => Request;
  /** `skinid` is that of the skin that was uploaded before, if one was. */
  readonly request: (number: number, skinid: string) => Request;
  /** Counts what the request adds: one more, when it was done once. */
  readonly count: (number: number) => string;
};

export type Member = { readonly id: number; readonly name: string; readonly token: string };

/** Makes an account and signs in. The first one administers. */
export async function makeMember(nodes: Nodes, node: NodeProcess, name: string): Promise<Member> {
  const flags = ["--mail", `${name}@example.org`, "--username", name, "--password", password];
  const made = await nodes.command(["user", "create", ...flags, "--json", "--admin"]);
  if (made.code !== 0) throw new Error(made.error);
  const { data } = await askAt(node.address, signIn(name));
  return { id: Number(JSON.parse(made.out).id), name, token: String(data["jwt"]) };
}

const signIn = (username: string): Request => ({
  line: "POST /api/auth/login",
  json: { username, password },
});

const upload = ({ token }: Member, name: string, seed: number): Request => ({
  line: "POST /api/home/edit/upload",
  form: () => formOf({ skin: skinPng(seed), slim: "false", name }),
  token,
});

export function writesOf(administrator: Member, member: Member): readonly Write[] {
  const { token } = member;
  return [
    {
      name: "a registration",
      request: (n) => ({
        line: "POST /api/auth/register",
        json: { mail: `newcomer${n}@example.org`, password },
      }),
      count: (n) => `SELECT count(*) FROM accounts WHERE mail = 'newcomer${n}@example.org'`,
    },
    {
      name: "a sign-in",
      request: () => signIn(member.name),
      count: () => `SELECT count(*) FROM sessions WHERE account_id = ${member.id}`,
    },
    {
      name: "an upload",
      request: (n) => upload(member, `Skin ${n}`, n),
      count: (n) => `SELECT count(*) FROM skins WHERE name = 'Skin ${n}'`,
    },
    {
      name: "a selection",
      prepare: (n) => upload(member, `Chosen ${n}`, n),
      request: (_, skinid) => ({
        line: "POST /api/home/edit/skin/select",
        json: { skinid },
        token,
      }),
      count: (n) =>
        `SELECT count(*) FROM players JOIN skins ON skins.id = selected_skin_id WHERE skins.name = 'Chosen ${n}'`,
    },
    {
      name: "a deletion",
      prepare: (n) => upload(member, `Gone ${n}`, n),
      request: (_, skinid) => ({
        line: "DELETE /api/home/edit/skin",
        json: { skinid },
        token,
      }),
      count: (n) => `SELECT 1 - count(*) FROM skins WHERE name = 'Gone ${n}'`,
    },
    {
      name: "an audited change",
      request: (n) => ({
        line: `POST /api/admin/user/role/${member.id}`,
        // An end of its own: a level that is held already is no entry.
        json: { user: member.id, role_level: 2, expired_at: 4_000_000_000 + n },
        token: administrator.token,
      }),
      count: () => `SELECT count(*) FROM audit_entries`,
    },
  ];
}

export type Outcome = {
  readonly status: number;
  /** How often it was done. */
  readonly done: number;
  readonly ms: number;
};

/** Asks the node once. `whileAsked` surrounds the request alone, and decides what fails meanwhile. */
export async function doOnce(
  { prepare, request, count }: Write,
  number: number,
  { sql, node, whileAsked }: { sql: SQL; node: NodeProcess; whileAsked: () => Disposable },
): Promise<Outcome> {
  const prepared = prepare === undefined ? null : await askAt(node.address, prepare(number));
  if (prepared !== null && prepared.status !== 200) throw new Error(`${prepared.status}: ${prepared.msg}`);
  const [newest] = await sql`SELECT uuid FROM skins ORDER BY id DESC LIMIT 1`;
  const counted = async (): Promise<number> => Number((await sql.unsafe(count(number)).values())[0]?.[0]);
  const before = await counted();
  const start = performance.now();
  const { status } = await asked();
  const ms = performance.now() - start;
  return { status, done: (await counted()) - before, ms };

  async function asked() {
    using _ = whileAsked();
    return await askAt(node.address, request(number, String(newest?.uuid)));
  }
}

/**
 * Plays refusals of every kind: each has its code, its field and its values (docs/contract/errors.md). The
 * harness holds each answer against the catalogue and the document: status, sentence, and the codes that the
 * operation names.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { suspendUser } from "../../src/domain/members/suspend.ts";
import { commandLine, system } from "../../src/domain/model/actor.ts";
import { catalogue } from "../../src/http/refusal-catalogue.ts";
import { capeForm } from "../support/capes.ts";
import { ownHeaders } from "../support/console.ts";
import { refusals } from "../../src/domain/model/refusals.ts";
import { readJson } from "../support/answers.ts";
import { openHarness } from "../support/harness.ts";
import { orderCode, send } from "../support/registration.ts";
import {
  addMember,
  addNameless,
  addSkin,
  allowPlayers,
  edit,
  upload as uploadTo,
  uploadForm,
  type Member,
} from "../support/members.ts";
import { capePng, skinPng } from "../support/textures.ts";
import { joinChunks } from "../render/png-fixtures.ts";
import { lyingPng, soundData, soundEnd, soundHeader } from "../support/hostile-pngs.ts";
import { openWorld, type Actor } from "../http/openapi-world.ts";
import {
  create,
  link,
  meet,
  metaOf,
  newPerson,
  openSocialWorld,
  signInSocially,
} from "../support/social/social-world.ts";
import { errorFaults, readError } from "../support/x-error.ts";

const world = await openWorld();
const {
  harness,
  alice,
  bare,
  chief,
  cape,
  skin,
  hdSkin,
  legacySkin,
  nobody,
  service,
  powerless,
  unfinished,
} = world;
afterAll(() => harness[Symbol.asyncDispose]());
const second = await addMember(harness, "Second", { level: 2 });
const onlyAlias = await addNameless(harness, "only_way");
const ownOfBare = await addSkin(harness, bare, { file: skinPng(9) });
await allowPlayers(harness, second);
const mail = await harness.services.transact(system, async ({ mail: post, outbox, now }) => {
  const id = await post(alice.account, { template: "password-changed", username: "Alice" });
  if (id !== null) await outbox.recordResult(id, { state: "sent", dueAt: now, reply: "250 ok" });
  return id;
});

/** Codes that need something prepared, and are played below. */
const prepared =
  "mail_unconfirmed suspended session_ended token_only_in_cookie token_only_in_header other_site " +
  "not_own_page not_own_page_proxy body_not_a_form too_many_parts wardrobe_full " +
  "picture_banned name_held renamed_too_often name_invisible name_scripts too_many " +
  "too_many_mails no_space pictures_away internal database_away database_reads_only " +
  "database_contended database_busy gone_meanwhile changes_busy mail_repeated enough_tokens " +
  "provider_unknown not_the_value provider_code_missing provider_refuses provider_fails " +
  "state_foreign not_connected connection_invalid creation_failed account_linked " +
  "sign_in_expired sign_in_too_old";

/** Holds an answer that another harness gave against the code and the catalogue. */
async function note(answer: Response, error: string): Promise<void> {
  expect(answer.headers.get("x-error")).toBe(error);
  const { msg } = await readJson<{ readonly msg: string }>(answer);
  expect(errorFaults(answer.status, error, msg)).toEqual([]);
  expect(prepared.split(" ")).toContain(readError(error).code);
}

type Row = readonly [who: Actor | null, request: string, body: unknown, error: string];

async function play([who, request, body, error]: Row): Promise<void> {
  const [method = "", path = ""] = request.split(" ");
  const isText = typeof body === "string";
  const type = body === null || body instanceof FormData ? {} : { "content-type": "application/json" };
  const headers = {
    ...(path.startsWith("/console") ? ownHeaders : {}),
    ...(who === null ? {} : { authorization: who.authorization }),
    ...type,
  };
  const sent =
    body === null ? {} : { body: body instanceof FormData || isText ? body : JSON.stringify(body) };
  const response = await harness.fetch(path, { method, headers, ...sent });
  expect(response.headers.get("x-error") ?? `${response.status}`).toBe(error);
}

const user = (name: string) => `PATCH /api/admin/user/${name}`;
const login = "POST /api/auth/login";
const upload = (parts: Parameters<typeof uploadForm>[0]) => uploadForm(parts);
const form = (parts: Readonly<Record<string, string>>) => {
  const made = new FormData();
  for (const [name, value] of Object.entries(parts)) made.set(name, value);
  return made;
};
const animation = { type: "acTL", data: new Uint8Array(8) };
const deep = `${"[".repeat(20)}${"]".repeat(20)}`;
const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}`, 1])));
const long = JSON.stringify({ username: Array.from({ length: 900 }, () => 1), password: "x" });

const rows: Readonly<Record<string, readonly Row[]>> = {
  "addresses, guards and bodies": [
    [null, "GET /api/nowhere", null, "nothing_here"],
    [null, "GET /api/auth/login", null, 'wrong_method; methods="POST"'],
    [null, "GET /api/home", null, "token_missing"],
    [{ authorization: "Bearer x.y.z" }, "GET /api/home", null, "token_invalid"],
    [alice, "GET /api/admin/users", null, "level_too_low; needed=2; level=1"],
    [unfinished, "GET /api/home/players", null, "registration_unfinished"],
    [null, "GET /api/service/events", null, "service_token_missing"],
    [{ authorization: "no such token" }, "GET /api/service/events", null, "service_token_invalid"],
    [powerless, "GET /api/service/events", null, 'right_missing; right="events"; rights="events"'],
    [null, login, "x".repeat(600_000), "body_too_large; bytes=8192"],
    [null, login, form({ username: "x" }), 'body_type; type="application/json"'],
    [null, login, "{", "body_not_json"],
    [null, login, deep, "body_too_deep; max=8"],
    [null, login, wide, "too_many_fields; max=100"],
    [null, login, long, "too_many_values; max=500"],
    [null, login, '{"toString":1}', 'not_a_field; field="toString"'],
    [
      alice,
      "POST /api/home/edit/upload",
      upload({ file: new Uint8Array(1_200_000) }),
      "file_too_large; bytes=1048576",
    ],
    [chief, "DELETE /api/admin/skin/%ff", {}, 'not_a_uuid; field="uuid"'],
    [null, "POST /console/session", {}, 'not_a_text; field="username"'],
  ],
  "rules of fields": [
    [null, login, [], 'not_an_object; field="body"'],
    [null, login, { username: 1, password: "x" }, 'not_a_text; field="username"'],
    [chief, user(alice.name), { mail_verify: 1 }, 'not_a_flag; field="mail_verify"'],
    [alice, "GET /api/home/sessions?limit=0", null, 'whole_number_range; field="limit"; min=1; max=1000'],
    [alice, `GET /api/home/sessions?after=${nobody}`, null, 'row_lost; field="after"'],
    [chief, "GET /api/admin/skins?order=x", null, 'not_one_of; field="order"; values="oldest or newest"'],
    [chief, "GET /api/admin/skins?after=x", null, 'not_a_row; field="after"'],
    [chief, "GET /api/admin/users?order=name&after=x", null, 'not_a_place; field="after"'],
    [chief, "GET /api/admin/skins?q=%00", null, 'control_characters; field="q"'],
    [chief, `GET /api/admin/skins?q=${"x".repeat(999)}`, null, 'too_many_characters; field="q"; max=254'],
    [chief, "GET /api/admin/skins?q=x", null, 'search_too_short; field="q"; min=3; wide=2'],
    [chief, "GET /api/admin/audit?since=x", null, 'not_a_time; field="since"'],
    [chief, "GET /api/admin/audit?for=x", null, 'not_a_user_id; field="for"'],
    [
      bare,
      "PATCH /api/home/edit/language",
      { language: "x" },
      'not_listed; field="language"; values="en, ru, de, zh-Hans"',
    ],
    [
      chief,
      "POST /api/admin/tokens",
      { name: "x", rights: [] },
      'not_some_of; field="rights"; values="find, permission, events, launcher, cape"',
    ],
    [
      chief,
      "POST /api/admin/tokens",
      { name: "x", rights: ["y"] },
      'not_listed; field="rights.0"; values="find, permission, events, launcher, cape"',
    ],
    [
      chief,
      user(alice.name),
      { players_max: 0 },
      'whole_number_range_or_null; field="players_max"; min=1; max=100',
    ],
    [chief, user(alice.name), { selected_skin: 1 }, 'not_a_uuid_or_empty; field="selected_skin"'],
    [chief, user(alice.name), { selected_skin: "x" }, 'not_a_uuid; field="selected_skin"'],
    [
      chief,
      user(alice.name),
      {},
      'nothing_to_change; field="body"; names="username, mail, mail_verify, selected_skin, password, perms, dsid, mail_verification, players_max, suspended"',
    ],
    [null, "GET /api/skin/head/%ff", null, 'not_an_id; field="uuid"'],
    [null, "GET /api/skin/head/%01", null, 'not_a_uuid_or_name; field="uuid"'],
    [null, "GET /api/skin/launcher/Nobody", null, 'not_a_uuid_or_player; field="uuid"'],
    [null, "GET /api/skin/cloak/x", null, 'not_a_uuid_or_number; field="id"'],
    [null, "GET /api/skin/elytra/%01", null, 'not_a_uuid_number_or_name; field="id"'],
    [
      null,
      `GET /api/skin/head/${alice.uuid}?default=x`,
      null,
      'not_one_of_or_absent; field="default"; values="none"',
    ],
    [
      null,
      `GET /api/skin/head/${alice.uuid}?size=0`,
      null,
      'whole_number_range; field="size"; min=8; max=1024',
    ],
    [null, "GET /textures/x", null, 'not_a_hash; field="hash"'],
    [chief, "GET /api/admin/user/%00", null, 'identifier_invalid; field="identifier"'],
    [chief, "GET /api/admin/cape/x/owners", null, 'not_a_cape_key; field="cape"'],
    [chief, "GET /api/admin/outbox/x", null, 'not_a_mail; field="id"'],
    [chief, "GET /api/admin/outbox?mailing=x", null, 'not_a_mailing; field="mailing"'],
    [service, "GET /api/service/events?after=x", null, 'not_an_event; field="after"'],
    [
      alice,
      `PATCH /api/home/players/${alice.uuid}`,
      { skinid: 1 },
      'not_a_uuid_null_or_empty; field="skinid"',
    ],
    [
      alice,
      `PATCH /api/home/players/${alice.uuid}`,
      { cloakid: 1 },
      'not_a_uuid_none_null_or_empty; field="cloakid"',
    ],
    [
      null,
      "POST /api/auth/login/social",
      { meta: { id: "", conn_id: 1 }, username: "x", password: "x" },
      'not_a_social_id; field="meta.id"',
    ],
    [
      null,
      "POST /api/auth/login/social",
      { meta: { id: "1", conn_id: "x" }, username: "x", password: "x" },
      'not_a_connection; field="meta.conn_id"',
    ],
  ],
  "users, as staff see them": [
    [chief, "GET /api/admin/user/Nobody", null, 'user_unknown; identifier="Nobody"'],
    [chief, `GET /api/admin/users/skin/${nobody}`, null, `user_uuid_unknown; field="uuid"; uuid="${nobody}"`],
    [chief, user(alice.name), { mail: "x" }, 'mail_invalid; field="mail"'],
    [chief, user(alice.name), { mail: bare.mail }, 'mail_taken; field="mail"'],
    [
      chief,
      user(alice.name),
      { mail_verify: true, mail_verification: false },
      'mail_verify_differs; field="mail_verification"',
    ],
    [chief, user(alice.name), { username: bare.name }, 'name_taken; field="username"'],
    [
      chief,
      user(alice.name),
      { username: "x" },
      'name_pattern; field="username"; pattern="^[A-Za-z0-9_]{3,16}$"',
    ],
    [chief, user(alice.name), { username: "12345" }, 'name_digits; field="username"'],
    [chief, user(alice.name), { username: "admin" }, 'name_reserved; field="username"; name="admin"'],
    [chief, user(alice.name), { password: "short" }, 'password_length; field="password"; min=8; max=128'],
    [chief, user(alice.name), { password: "password" }, 'password_common; field="password"'],
    [
      chief,
      user(alice.name),
      { selected_skin: nobody },
      `skin_not_in_users_wardrobe; field="selected_skin"; skin="${nobody}"`,
    ],
    [chief, user("Chief"), { perms: 1 }, "last_administrator"],
    [chief, user("Chief"), { suspended: {} }, "own_suspension"],
    [chief, user(alice.name), { suspended: true }, 'not_a_suspension; field="suspended"'],
    [
      chief,
      `POST /api/admin/user/role/${alice.name}`,
      { user: chief.account.id, role_level: 2 },
      'other_user; field="user"',
    ],
    [
      chief,
      `POST /api/admin/user/role/${alice.name}`,
      { user: alice.account.id, role_level: 2, expired_at: 1 },
      'not_in_the_future; field="expired_at"',
    ],
    [
      chief,
      `POST /api/admin/user/cape/${alice.name}`,
      { user: alice.account.id, cape: "x" },
      'not_a_cape_list; field="cape"; max=10000',
    ],
    [
      chief,
      `POST /api/admin/user/cape/${alice.name}`,
      { user: alice.account.id, cape: [nobody] },
      `ids_unknown; field="cape"; ids="${nobody}"; more=0`,
    ],
    [
      chief,
      `POST /api/admin/user/${alice.name}/players`,
      { name: "Fourth", uuid: "0".repeat(32) },
      'player_uuid_invalid; field="uuid"',
    ],
    [
      chief,
      `POST /api/admin/user/${alice.name}/players`,
      { name: "Fourth", uuid: bare.uuid },
      'uuid_taken; field="uuid"',
    ],
    [chief, `POST /api/admin/user/${unfinished.mail}/players`, { name: "Fourth" }, "user_unfinished"],
    [chief, `DELETE /api/admin/players/${nobody}`, null, "player_unknown"],
    [chief, `DELETE /api/admin/players/${bare.uuid}`, null, "main_player"],
    [chief, `DELETE /api/admin/user/${alice.name}/sessions/${nobody}`, null, "user_session_unknown"],
    [second, "DELETE /api/admin/user/Chief/sessions", null, "sessions_of_staff"],
  ],
  "capes, skins, tokens and mails, as staff see them": [
    [chief, `GET /api/admin/cape/${nobody}/owners`, null, `cape_unknown; field="cape"; cape="${nobody}"`],
    [chief, `POST /api/admin/cape/${cape.id}/owners`, { who: "x" }, 'not_owners; field="who"; max=200'],
    [
      chief,
      `POST /api/admin/cape/${cape.id}/owners`,
      { who: `owners:${nobody}` },
      `named_cape_unknown; field="who"; cape="${nobody}"`,
    ],
    [
      chief,
      `POST /api/admin/cape/${cape.id}/owners`,
      { who: [1], after: -1 },
      'not_the_next_step; field="after"',
    ],
    [chief, "POST /api/admin/user/cape/upload", form({ name: "x" }), 'not_a_png_part; field="cape"'],
    [
      chief,
      "POST /api/admin/user/cape/upload",
      capeForm({ owners: "x" }),
      'not_user_ids_text; field="owners"',
    ],
    [
      chief,
      "POST /api/admin/user/cape/upload",
      capeForm({ owners: "1,".repeat(10_001).slice(0, -1) }),
      'too_many_user_ids; field="owners"; max=10000',
    ],
    [
      chief,
      "POST /api/admin/user/cape/upload",
      capeForm({ cape: skinPng(1, { width: 48, height: 48 }) }),
      "cape_size; width=48; height=48",
    ],
    [
      chief,
      "POST /api/admin/user/cape/upload",
      capeForm({ cape: capePng(44), name: "" }),
      'texture_name_invalid; field="name"; max=64',
    ],
    [chief, `GET /api/admin/skin/${nobody}`, null, `skin_unknown; field="uuid"; skin="${nobody}"`],
    [chief, `PATCH /api/admin/skin/${skin}`, { hd: true }, 'hd_differs; field="hd"; hd=?0; size="64x64"'],
    [chief, `PATCH /api/admin/skin/${legacySkin}`, { slim: true }, 'no_slim_arms; field="slim"'],
    [chief, `DELETE /api/admin/skin/${hdSkin}`, { reason: "a\nb" }, 'line_invalid; field="reason"; max=500'],
    [
      chief,
      `DELETE /api/admin/bans/${"0".repeat(64)}`,
      null,
      `ban_unknown; field="hash"; hash="${"0".repeat(64)}"`,
    ],
    [chief, "POST /api/admin/tokens", { name: "X" }, 'token_name_invalid; field="name"'],
    [chief, "POST /api/admin/tokens", { name: "shop" }, 'token_name_taken; field="name"'],
    [
      chief,
      "POST /api/admin/tokens",
      { name: "default" },
      'token_name_reserved; field="name"; name="default"',
    ],
    [chief, "DELETE /api/admin/tokens/web", null, 'token_unknown; name="web"'],
    [chief, "DELETE /api/admin/tokens/default", null, "token_of_settings"],
    [
      chief,
      "POST /api/admin/mail",
      { subject: "x", message: "" },
      'message_invalid; field="message"; max=20000',
    ],
    [chief, "GET /api/admin/outbox/99999", null, "mail_unknown; id=99999"],
    [chief, `POST /api/admin/outbox/${mail}/retry`, null, `mail_sent; id=${mail}`],
  ],
  "the home area": [
    [
      alice,
      "PATCH /api/home/edit/username",
      { username: "Alice_3", password: "x" },
      'password_wrong; field="password"',
    ],
    [
      alice,
      "PATCH /api/home/edit/username",
      { username: bare.name, password: alice.password },
      'name_taken; field="username"',
    ],
    [
      alice,
      "POST /api/home/registerfinish",
      { username: "Alice_2", password: "a new password of hers" },
      "registration_finished",
    ],
    [alice, `DELETE /api/home/sessions/${nobody}`, null, "session_unknown"],
    [alice, "DELETE /api/home/aliases/anybody", null, "alias_unknown"],
    [onlyAlias, "DELETE /api/home/aliases/only_way", null, "only_login"],
    [alice, "POST /api/home/players", { name: "Third" }, "enough_players; max=1"],
    [alice, `PATCH /api/home/players/${nobody}`, { skinid: null }, "own_player_unknown"],
    [
      alice,
      `PATCH /api/home/players/${alice.uuid}`,
      { name: "Alice_3" },
      'password_missing; field="password"',
    ],
    [
      alice,
      `PATCH /api/home/players/${alice.uuid}`,
      { skinid: nobody },
      `skin_not_in_wardrobe; field="skinid"; skin="${nobody}"`,
    ],
    [
      bare,
      `PATCH /api/home/players/${bare.uuid}`,
      { cloakid: cape.uuid },
      `cape_not_granted; field="cloakid"; cape="${cape.uuid}"`,
    ],
    [
      alice,
      "POST /api/home/mail/request",
      { mail: alice.mail, password: alice.password },
      'mail_unchanged; field="mail"',
    ],
    [
      alice,
      "POST /api/home/mail/request",
      { mail: bare.mail, password: alice.password },
      'mail_taken; field="mail"',
    ],
    [
      alice,
      "POST /api/home/mail/validate",
      { code: "x", password: alice.password },
      'code_invalid; field="code"',
    ],
    [second, "POST /api/home/edit/removesocial", { password: second.password }, "not_linked"],
    [
      alice,
      "POST /api/home/edit/skin/select",
      { skinid: ownOfBare },
      `skin_not_in_wardrobe; field="skinid"; skin="${ownOfBare}"`,
    ],
    [
      alice,
      "DELETE /api/home/edit/skin",
      { skinid: nobody },
      `own_skin_unknown; field="skinid"; skin="${nobody}"`,
    ],
    [alice, "POST /api/home/edit/upload", upload({ file: new Uint8Array(99) }), "picture_not_png"],
    [alice, "POST /api/home/edit/upload", upload({ file: skinPng(1).slice(0, 99) }), "picture_unfit"],
    [alice, "POST /api/home/edit/upload", upload({ file: lyingPng(0, 64) }), "picture_empty"],
    [
      alice,
      "POST /api/home/edit/upload",
      upload({ file: lyingPng(9000, 64) }),
      "picture_too_wide; width=9000; height=64; width_max=1024; height_max=1024",
    ],
    [
      alice,
      "POST /api/home/edit/upload",
      upload({ file: skinPng(1, { width: 128, height: 96 }) }),
      'skin_size; size="128x96"',
    ],
    [
      alice,
      "POST /api/home/edit/upload",
      upload({ file: skinPng(1, { height: 32 }), slim: "true" }),
      'no_slim_file; field="slim"',
    ],
    [alice, "POST /api/home/edit/skin/copy", { player: alice.uuid }, 'own_players_skin; field="player"'],
    [
      alice,
      "POST /api/home/edit/skin/copy",
      { player: bare.uuid },
      'skin_not_shared; field="player"; name="Bare"',
    ],
    [alice, "POST /api/home/edit/skin/copy", { player: nobody }, "player_unknown"],
  ],
  "signing in and registering": [
    [null, login, { username: alice.name, password: "x" }, "wrong_login"],
    [
      null,
      "POST /api/auth/register",
      { mail: alice.mail, password: "a new password of hers" },
      'mail_taken; field="mail"',
    ],
    [null, "POST /api/auth/forgetpass", { mail: "nobody@example.org" }, "wrong_mail_login"],
    [null, "POST /api/auth/confirm", { code: "x" }, 'code_invalid; field="code"'],
    [
      null,
      "POST /console/setup",
      { secret: "x", mail: "o@example.org", username: "Olga", password: "a new password of hers" },
      "setup_link_invalid",
    ],
    [null, "POST /console/social", { action: "x" }, 'not_one_of; field="action"; values="link or create"'],
    [null, "GET /auth/social/login", null, "no_provider"],
  ],
  "what is sent as a picture": [
    [alice, "POST /api/home/edit/upload", upload({ file: skinPng(1).slice(0, 36) }), "picture_cut_off"],
    [
      alice,
      "POST /api/home/edit/upload",
      upload({ file: joinChunks([soundHeader, animation, soundData, soundEnd]) }),
      "picture_animated",
    ],
  ],
  services: [
    [service, "POST /api/service/user", {}, 'account_key_missing; field="body"'],
    [service, "POST /api/service/user", { Playername: "Nobody" }, "account_unknown"],
    [service, "POST /api/service/user", { Playername: "\u0001" }, 'not_a_username; field="Playername"'],
    [service, "POST /api/service/user", { Social_id: "42" }, 'person_ambiguous; field="Social_id"'],
    [
      service,
      "POST /api/service/user",
      { Playername: alice.name, Social_id: "42" },
      'account_keys_differ; field="Playername"',
    ],
  ],
  pictures: [
    [null, `GET /api/skin/head/${nobody}`, null, "player_or_skin_unknown"],
    [null, `GET /api/skin/head/${second.uuid}?default=none`, null, "skin_not_chosen"],
    [null, `GET /api/skin/cloak/${nobody}`, null, "cape_or_skin_unknown"],
    [null, `GET /api/skin/elytra/${nobody}`, null, "cape_or_player_unknown"],
    [null, `GET /api/skin/elytra/${cape.id}`, null, "wings_missing"],
    [null, `GET /api/skin/standart/cape/${bare.uuid}`, null, "cape_not_worn"],
    [null, `GET /api/skin/public/${nobody}`, null, "saved_skin_unknown"],
    [null, `GET /api/skin/public/cape/${nobody}`, null, "saved_cape_unknown"],
    [null, `GET /textures/${"0".repeat(64)}`, null, "texture_unknown"],
  ],
};

for (const [name, list] of Object.entries(rows)) {
  describe(name, () => {
    for (const row of list) test(`${row[1].slice(0, 80)}: ${row[3].slice(0, 80)}`, () => play(row));
  });
}

describe("what has to be prepared", () => {
  test("a registration without its code", async () => {
    await orderCode(harness, "confirm", "pending@example.org", "a new password of hers");
    await play([
      null,
      login,
      { username: "pending@example.org", password: "a new password of hers" },
      "mail_unconfirmed",
    ]);
  });

  test("an account that is suspended", async () => {
    const { name, password } = await addMember(harness, "Suspended");
    const until = harness.clock.nowSeconds() + 60;
    for (const [end, error] of [
      [null, "suspended"],
      [until, `suspended; until=${until}`],
    ] as const) {
      const terms = { until: end, reason: "x" };
      await suspendUser(harness.services, commandLine, { identifier: name, terms });
      await play([null, login, { username: name, password }, error]);
    }
  });

  test("sessions that have ended, and tokens in the wrong place", async () => {
    const gone = await addMember(harness, "Gone");
    await harness.fetch("/api/auth/logout", {
      method: "POST",
      headers: { authorization: gone.authorization },
    });
    await play([gone, "GET /api/home", null, "session_ended"]);
    const { headers } = await send(
      harness,
      "POST /console/session",
      { username: alice.name, password: alice.password },
      ownHeaders,
    );
    const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";");
    const token = cookie.slice(cookie.indexOf("=") + 1);
    await play([{ authorization: `Bearer ${token}` }, "GET /api/home", null, "token_only_in_cookie"]);
    const asCookie = `${cookie.slice(0, cookie.indexOf("="))}=${alice.jwt}`;
    const answer = await harness.fetch("/api/home", { headers: { ...ownHeaders, cookie: asCookie } });
    await note(answer, "token_only_in_header");
  });

  test("a sign-in of an hour ago", async () => {
    const anna = await addMember(harness, "Annabel");
    harness.database.change(`UPDATE sessions SET created_at = 0 WHERE account_id = ${anna.account.id}`);
    await play([anna, "GET /api/home/export", null, "sign_in_too_old; minutes=15"]);
  });

  test("requests of other sites and other pages", async () => {
    const elsewhere = { "sec-fetch-site": "cross-site", "content-type": "application/json" };
    await note(
      await harness.fetch("/api/auth/login", { method: "POST", headers: elsewhere, body: "{}" }),
      "other_site",
    );
    const outside = await send(harness, "POST /console/session", {});
    await note(outside, 'not_own_page; place="https://skins.example.org"');
  });

  test("broken forms, and forms of too many parts", async () => {
    const headers = { authorization: alice.authorization, "content-type": "multipart/form-data; boundary=x" };
    const broken = await harness.fetch("/api/home/edit/upload", { method: "POST", headers, body: "--y" });
    await note(broken, "body_not_a_form");
    const many = form(Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`f${at}`, "x"])));
    await play([alice, "POST /api/home/edit/upload", many, "too_many_parts; max=64"]);
  });

  test("a full wardrobe, and a banned picture", async () => {
    await using small = await openHarness({ settings: { WARDROBE_MAX: "1" } });
    const anna = await addMember(small, "Anna");
    await addSkin(small, anna, { file: skinPng(1) });
    await note(await uploadTo(small, anna, { file: skinPng(2) }), "wardrobe_full; max=1");
    const shared = skinPng(77);
    const worn = await addSkin(harness, second, { file: shared });
    await send(
      harness,
      `DELETE /api/admin/skin/${worn}`,
      { ban: true },
      { authorization: chief.authorization },
    );
    await play([alice, "POST /api/home/edit/upload", upload({ file: shared }), "picture_banned"]);
  });

  test("names that were given up, names that may not be changed again yet", async () => {
    await using slow = await openHarness({
      settings: { RATE_LIMIT_FACTOR: "1" },
    });
    const [anna, bert] = [await addMember(slow, "Anna"), await addMember(slow, "Bert")];
    const rename = (who: Member, username: string) =>
      edit(slow, who, "PATCH /api/home/edit/username", { username, password: who.password });
    expect((await rename(anna, "Anne")).status).toBe(200);
    await note(await rename(bert, "Anna"), 'name_held; field="username"');
    await note(await rename(anna, "Anja"), "renamed_too_often; period=86400; seconds=86400");
  });

  test("too many attempts, mails and uploads", async () => {
    await using limited = await openHarness({ settings: { RATE_LIMIT_FACTOR: "1" } });
    const guess = { username: "Nobody", password: "a wrong password" };
    let last = await send(limited, login, guess);
    for (let i = 0; i < 20 && last.status !== 429; i++) last = await send(limited, login, guess);
    const wait = last.headers.get("retry-after");
    await note(last, `too_many; seconds=${wait}`);
    const once = await addMember(limited, "Anna");
    await send(limited, "POST /api/auth/forgetpass", { mail: once.mail });
    const again = await send(limited, "POST /api/auth/forgetpass", { mail: once.mail });
    await note(again, `too_many_mails; seconds=${again.headers.get("retry-after")}`);
  });

  test("a full disk, a store that is away, a fault", async () => {
    for (const [error, code] of [
      [refusals.noSpace(), /^no_space$/],
      [refusals.picturesAway(), /^pictures_away$/],
      [new Error("the disk is on fire"), /^internal; request="[0-9a-z-]+"$/],
    ] as const) {
      await using broken = await openHarness({ blobs: { put: () => Promise.reject(error) } });
      const answer = await uploadTo(broken, await addMember(broken, "Anna"), {});
      expect(answer.headers.get("x-error")).toMatch(code);
      expect(prepared.split(" ")).toContain(readError(answer.headers.get("x-error") ?? "").code);
      broken.takeComplaints();
    }
  });

  test("a database in trouble", async () => {
    const trouble = { refuse: null as (() => Error) | null };
    await using broken = await openHarness({
      beforeTransaction: async () => {
        if (trouble.refuse !== null) throw trouble.refuse();
      },
    });
    const anna = await addMember(broken, "Anna");
    for (const name of [
      "unavailable",
      "readsOnly",
      "contended",
      "busy",
      "goneMeanwhile",
      "tooManyChanges",
    ] as const) {
      trouble.refuse = () => refusals[name]();
      const { code } = refusals[name];
      await note(await edit(broken, anna, "PATCH /api/home/edit/language", { language: "de" }), code);
    }
    broken.takeComplaints();
  });

  test("a mail that was just sent to everybody, and more tokens than there may be", async () => {
    const bulk = { subject: "News", message: "There are news." };
    await send(harness, "POST /api/admin/mail", bulk, { authorization: chief.authorization });
    await play([chief, "POST /api/admin/mail", bulk, "mail_repeated"]);
    await using other = await openHarness();
    const { authorization } = await addMember(other, "Boss", { level: 3 });
    const make = (name: string) => send(other, "POST /api/admin/tokens", { name }, { authorization });
    for (let at = 0; at < 100; at++) await make(`t${at}`);
    await note(await make("one-more"), "enough_tokens; max=100");
  });

  test("names that a wide pattern lets through, and a console behind no known address", async () => {
    await using wide = await openHarness({
      settings: { USERNAME_PATTERN: "^[^/]{2,16}$", PUBLIC_URL: undefined },
    });
    const boss = await addMember(wide, "Boss", { level: 3 });
    const rename = (username: string) =>
      send(wide, "PATCH /api/admin/user/Boss", { username }, { authorization: boss.authorization });
    await note(await rename("a b"), 'name_invisible; field="username"');
    await note(await rename("p\u0430ul"), 'name_scripts; field="username"');
    await note(await send(wide, "POST /console/session", {}), "not_own_page_proxy");
  });

  test("sign-ins through a provider", async () => {
    await using social = await openSocialWorld();
    const { harness: at, provider } = social;
    const callback = async (query: string, error: string) =>
      note(await at.fetch(`/auth/social/callback${query}`), error);
    await note(
      await at.fetch("/auth/social/login?provider=x"),
      'provider_unknown; field="provider"; providers="discord"',
    );
    await note(await at.fetch("/auth/social/login?to=x"), 'not_the_value; field="to"; value="console"');
    await callback("", 'provider_code_missing; field="code"');
    await callback("?error=access_denied", 'provider_refuses; provider="discord"');
    await callback("?code=x&state=y", 'state_foreign; field="state"');
    provider.answer("/api/oauth2/token", () => new Response("down", { status: 503 }));
    await callback("?code=x", 'provider_fails; provider="discord"');
    provider.answer("/api/oauth2/token", null);
    await note(await signInSocially(social), "not_connected");
    const anna = await addMember(at, "Anna");
    const meta = metaOf(await meet(social));
    expect((await link(at, anna, meta)).status).toBe(200);
    await note(await link(at, anna, meta), 'connection_invalid; field="meta"');
    await note(await create(at, meta), "creation_failed");
    newPerson(social);
    await note(await link(at, anna, metaOf(await meet(social))), "account_linked");
    const join = { action: "link", username: "Anna", password: anna.password };
    await note(await send(at, "POST /console/social", join, ownHeaders), "sign_in_expired");
    at.takeComplaints();
  });
});

/** Codes that are not played here, by the reason. */
const notPlayed: Readonly<Record<string, string>> = {
  "Protocols of others alone meet them, and send no code.":
    "game_token_invalid game_token_missing token_without_player signing_busy not_a_player_name",
  "They need a provider: test/http/openapi-social.test.ts and test/social.":
    "person_linked state_missing state_old state_used no_console password_unset",
  "Pages for people, which have no header: test/mail.": "subscription_unknown address_invalid",
  "The server or its database has to be in trouble: test/faults, test/postgres.":
    "no_files passwords_away stopping not_ready",
  "Many requests have to be under way at once: test/limits, test/contract, test/passwords.":
    "too_many_at_once too_many_changes too_many_uploads too_many_exports too_many_requests " +
    "password_tried_too_often passwords_busy passwords_of_address pictures_busy imports_busy " +
    "too_many_streams picture_vanishes password_changed",
  "The connection itself has to misbehave: test/http.":
    "body_too_slow body_in_pieces body_broke_off host_missing",
  "It takes rows or settings of their own: test/admin, test/accounts, test/contract.":
    "registration_password_wrong mail_unset user_mail_unset mail_wiped too_many_to_sort " +
    "skin_too_wide default_skin_shared shared_skin_banned shown_by_cape",
  "The command line alone meets it.": "banned_already player_key_invalid",
  "An earlier check refuses the same: they stand for what routes may get one day.":
    "body_invalid request_invalid not_valid not_a_list not_a_whole_number not_a_number " +
    "not_one_text null_value not_an_identifier not_user_ids not_a_listed_row " +
    "picture_too_large skin_sheet_size",
};

test("every code is played, or there is a reason why not", () => {
  const inRows = new Set(
    Object.values(rows).flatMap((list) => list.map(([, , , error]) => readError(error).code)),
  );
  const known = [...inRows, ...[prepared, ...Object.values(notPlayed)].flatMap((codes) => codes.split(" "))];
  expect(known.toSorted()).toEqual([...catalogue.keys()].toSorted());
});

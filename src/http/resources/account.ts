import { rules } from "../rules.ts";
import { Type, type Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { UserChange } from "../../domain/members/administer.ts";
import type { Profile } from "../../domain/members/profile.ts";
import {
  levelInForce,
  usernameOf,
  uuidOf,
  type Alias,
  type ListedMember,
} from "../../domain/model/account.ts";
import type { Suspension } from "../../domain/model/suspension.ts";
import type { Skin } from "../../domain/model/texture.ts";
import type { Uuid } from "../../kernel/ids.ts";
import { limits } from "../../kernel/limits.ts";
import { envelopeOf } from "../envelope.ts";
import {
  flagField,
  givenFlag,
  givenNumber,
  givenText,
  readUuid,
  refuseEmptyChange,
  textField,
} from "../fields.ts";
import { examples } from "../openapi/examples.ts";
import { homeCape, presentHomeCape, presentUserCape, userCape } from "./cape.ts";
import { givenLanguage } from "./language.ts";
import { deletesAt } from "./leaving.ts";
import { level, levelField, levels, presentLevels } from "./level.ts";
import { homeSkin, presentHomeSkin, presentUserSkin, userSkin } from "./skin.ts";
import { presentSuspension, readSuspension, suspension, suspensionField } from "./suspension.ts";
import { presentSocialAccount, socialAccount } from "./social-account.ts";

/** An account with its player: for its owner, for staff, and in lists. */

const id = Type.Integer({ examples: [examples.userId] });
const username = givenText('Empty before registration is finished: ""', examples.name);
const uuid = givenText("The player's UUID, by which its pictures are requested", examples.user, "uuid");
const mail = givenText('Empty for an account without one: ""', examples.mail);
const verified = t.Union([t.Literal(0), t.Literal(1)], {
  description: "1 when the mail address is verified",
  examples: [1],
});
const created = givenNumber("When it was made: Unix seconds", examples.time);
const selectedCape = givenNumber("Number of the cape that the main player shows, else 0", examples.capeId);
const selectedSkin = givenText('UUID of the selected skin, else ""', examples.skin, "uuidOrEmpty");
const isLinked = givenFlag("Whether a social account is linked", true);

const bit = (is: boolean): 0 | 1 => (is ? 1 : 0);

/** The UUID of the cape that is linked to a skin, as long as the account may wear it. */
const capeOf = ({ capeId }: Skin, { capes }: Profile): Uuid | null =>
  capes.find((cape) => cape.id === capeId)?.uuid ?? null;

const homeProfile = t.Object(
  {
    Username: username,
    Uuid: uuid,
    Mail: mail,
    Selected_Cape: selectedCape,
    Selected_Skin: selectedSkin,
    PermLvl: level,
    Capes: t.Array(homeCape, { description: "Capes that you may wear" }),
    Skin: t.Array(homeSkin, { description: "Your wardrobe" }),
    Social_integration: isLinked,
    Social: socialAccount,
    Mail_verification: verified,
    Language: givenLanguage("The language of the mails that you get"),
    Deletes_at: t.Optional(deletesAt),
  },
  { component: "HomeProfile" },
);
/** `GET /api/home` (docs/contract/home.md#profile). */
export const profileEnvelope = envelopeOf(homeProfile);

export function presentHomeProfile(profile: Profile): Static<typeof homeProfile> {
  const { account, identity } = profile;
  return {
    Username: usernameOf(profile),
    Uuid: uuidOf(profile),
    Mail: account.mail ?? "",
    Selected_Cape: profile.selectedCape?.id ?? 0,
    Selected_Skin: profile.selectedSkin?.uuid ?? "",
    PermLvl: profile.level,
    Capes: profile.capes.map(presentHomeCape),
    Skin: profile.skins.map((skin) => presentHomeSkin(skin, capeOf(skin, profile))),
    Social_integration: identity !== null,
    Social: presentSocialAccount(identity),
    Mail_verification: bit(account.mailVerified),
    Language: account.language,
    ...(account.deleteAt === null ? {} : { Deletes_at: account.deleteAt }),
  };
}

const user = t.Object(
  {
    id,
    username,
    dsid: givenText('Id at the social provider, "" when not linked', examples.socialId),
    mail,
    mail_verify: verified,
    uuid,
    password: t.Literal("[redacted]"),
    perms: level,
    accessToken: t.Null(),
    serverID: t.Null(),
    hwidId: t.Null(),
    ...levels,
    created,
    last_seen: t.Union([Type.Integer(), t.Null()], {
      description:
        "When they were last seen, by which `order=seen` sorts: Unix seconds, ten minutes old at most; null: never",
      examples: [examples.time],
    }),
  },
  { component: "User" },
);
/** `GET /api/admin/users` (docs/contract/admin.md#users). */
export const usersEnvelope = envelopeOf(t.Array(user));

export function presentUser(member: ListedMember, now: number): Static<typeof user> {
  const { account } = member;
  return {
    id: account.id,
    username: usernameOf(member),
    dsid: member.socialId ?? "",
    mail: account.mail ?? "",
    mail_verify: bit(account.mailVerified),
    uuid: uuidOf(member),
    password: "[redacted]",
    perms: levelInForce(account, now),
    accessToken: null,
    serverID: null,
    hwidId: null,
    ...presentLevels(account, now),
    created: account.createdAt,
    last_seen: member.lastSeenAt,
  };
}

const userDetail = t.Object(
  {
    Id: id,
    Username: username,
    Uuid: uuid,
    Mail: mail,
    Mail_verify: verified,
    Selected_Cape: selectedCape,
    Selected_Skin: selectedSkin,
    PermLvl: level,
    ...levels,
    Capes: t.Array(userCape, { description: "Capes that the user may wear" }),
    Skins: t.Array(userSkin, { description: "The user's wardrobe" }),
    Social_integration: isLinked,
    Social: socialAccount,
    Mail_verification: verified,
    Created: created,
    last_seen: t.Union([Type.Integer(), t.Null()], {
      description: "When a session of the user was last used: Unix seconds, to the minute; null: never",
      examples: [examples.time],
    }),
    players_max: t.Union([Type.Integer(), t.Null()], {
      description: "How many players the user may make; null: as many as the setting PLAYERS_MAX says",
      examples: [null],
    }),
    aliases: t.Array(givenText("A name that signs in, and names nothing else", "anna_of_old"), {
      description: "Names from another system by which the user signs in",
    }),
    password_kind: givenText(
      'How the password is hashed: "argon2id", the kind of another system until the next sign-in, "none" without one',
      "argon2id",
    ),
    suspended: t.Union([suspension, t.Null()], {
      description: "Until when and why the user cannot sign in; null: the user is not suspended",
      examples: [null],
    }),
  },
  { component: "UserDetail" },
);
/** `GET /api/admin/user/{identifier}` (docs/contract/admin.md#users). */
export const userEnvelope = envelopeOf(userDetail);

export function presentUserDetail(
  profile: Profile,
  {
    lastSeen,
    aliases,
    passwordKind,
    suspension,
    now,
  }: {
    readonly lastSeen: number | null;
    readonly aliases: readonly Alias[];
    readonly passwordKind: string;
    readonly suspension: Suspension | null;
    readonly now: number;
  },
): Static<typeof userDetail> {
  const { account, identity, skins, selectedSkin } = profile;
  return {
    Id: account.id,
    Username: usernameOf(profile),
    Uuid: uuidOf(profile),
    Mail: account.mail ?? "",
    Mail_verify: bit(account.mailVerified),
    Selected_Cape: profile.selectedCape?.id ?? 0,
    Selected_Skin: selectedSkin?.uuid ?? "",
    PermLvl: levelInForce(account, now),
    ...presentLevels(account, now),
    Capes: profile.capes.map(presentUserCape),
    Skins: skins.map((skin) => presentUserSkin(skin, capeOf(skin, profile), skin === selectedSkin)),
    Social_integration: identity !== null,
    Social: presentSocialAccount(identity),
    Mail_verification: bit(account.mailVerified),
    Created: account.createdAt,
    last_seen: lastSeen,
    players_max: account.playersMax,
    aliases: aliases.map(({ name }) => name),
    password_kind: passwordKind,
    suspended: presentSuspension(suspension, now),
  };
}

/** `PATCH /api/admin/user/{identifier}`: at least one of the fields. */
export const changeBody = t.Object(
  {
    username: t.Optional(
      textField("Another name; the first one finishes an unfinished registration", "Anna_2", "newUsername"),
    ),
    mail: t.Optional(
      textField(
        "Another address, which counts as unverified unless mail_verify says otherwise",
        "anna@example.net",
        "mail",
      ),
    ),
    mail_verify: t.Optional(flagField("Whether the address is verified", true, "mailVerified")),
    selected_skin: t.Optional(
      t.String({
        description: 'UUID of one of the user\'s skins; "" selects no skin',
        rule: rules.uuidOrEmpty.of(),
        shape: "uuidTextOrEmpty",
        field: "skin",
        examples: [examples.skin],
      }),
    ),
    password: t.Optional(
      textField("Another password, 8 to 128 characters", examples.newPassword, "newPassword"),
    ),
    perms: t.Optional(levelField("The permanent level; a temporary level stays in force until it ends")),
    dsid: t.Optional(flagField("False unlinks the social account, true changes nothing", false)),
    mail_verification: t.Optional(flagField("The same as mail_verify")),
    players_max: t.Optional(
      t.Union([Type.Integer({ minimum: 1, maximum: limits.ownPlayersMax }), t.Null()], {
        description: "How many players the user may make; null: as many as the setting PLAYERS_MAX says",
        rule: rules.wholeFromOrNull.of(1, limits.ownPlayersMax),
        examples: [3],
      }),
    ),
    suspended: t.Optional(suspensionField),
  },
  // Sent as it is, the example changes one field, not all.
  { examples: [{ username: "Anna_2" }] },
);

export function readUserChange(body: Static<typeof changeBody>, now: number): UserChange {
  refuseEmptyChange(changeBody, body);
  const { username, mail, password, perms, dsid, suspended } = body;
  const { selected_skin: skin, players_max: playersMax } = body;
  const mailVerified = readVerified(body);
  return {
    ...(username === undefined ? {} : { username }),
    ...(mail === undefined ? {} : { mail }),
    ...(mailVerified === undefined ? {} : { mailVerified }),
    ...(skin === undefined ? {} : { selectedSkin: skin === "" ? null : readUuid("selected_skin", skin) }),
    ...(password === undefined ? {} : { password }),
    ...(perms === undefined ? {} : { permanentLevel: perms }),
    ...(dsid === false ? { identity: null } : {}),
    ...(playersMax === undefined ? {} : { playersMax }),
    ...(suspended === undefined ? {} : { suspension: readSuspension(suspended, now) }),
  };
}

/** The contract has two names for one field. */
function readVerified(body: Static<typeof changeBody>): boolean | undefined {
  const { mail_verify: one, mail_verification: other } = body;
  if (one !== undefined && other !== undefined && one !== other) {
    throw rules.sameAsVerify();
  }
  return one ?? other;
}

/**
 * What an export of a community is made of (docs/export.md): a tar archive in one zstd frame, with a
 * description, textures by digest, files of JSON lines, and the manifest last.
 */
import { limits } from "../../kernel/limits.ts";

/** The format's name and version. A program reads exports of its own version and of older ones. */
export const exportFormat = "cloakroom-export";
/** See `exportFormat`. */
export const exportVersion = 1;

const unixSeconds = "Unix seconds";
const orNull = (text: string, meaning: string) => `${text}; null: ${meaning}`;
const ofAccount = "the account's UUID, as in `accounts.jsonl`";
const ofCape = "the cape's UUID, as in `capes.jsonl`";
const digest = "the texture's file: the SHA-256 that names it in `textures/`";

/** Every file of JSON lines, in the order in which they are written, with the meaning of each field. */
export const exportFields = {
  capes: {
    cape: "the cape's UUID",
    name: "what it is called",
    texture: digest,
    wings: orNull("the file of its elytra wings alone", "it has none, or was not searched for them"),
    uploaded_by: "the audit's name for the person who uploaded it",
    created: unixSeconds,
  },
  accounts: {
    account: "the account's own UUID, which its first player mostly has, too",
    mail: orNull("the mail address", "it has none"),
    mail_verified: "whether the address was shown to be theirs",
    registration: "`complete`; `unnamed`: no username was chosen; `unconfirmed`: no address was confirmed",
    level: "the permanent level: 1 player, 2 moderator, 3 administrator",
    temporary_level: orNull("the level in its place, as `{level, expires_at}`", "it has none"),
    main_player: orNull("the UUID of the player that stands for it", "it has no player"),
    username: orNull("that player's name", "it has no player"),
    language: "the language of its mails: en, ru, de or zh-Hans",
    wants_bulk_mail: "whether it gets the mails that go to everybody",
    players_max: orNull("how many players it may have", "as many as the setting PLAYERS_MAX says"),
    created: unixSeconds,
    last_seen: orNull(unixSeconds, "never"),
    deletes_at: orNull("when its owner's deletion of it takes effect", "it was not asked for"),
  },
  aliases: {
    account: ofAccount,
    name: "a name by which it signs in beside its players' names",
    created: unixSeconds,
  },
  suspensions: {
    account: ofAccount,
    scope: "`all`: it may not sign in",
    until: orNull(unixSeconds, "without an end"),
    reason: "empty where no reason was given",
    issuer: "the audit's name for the person who suspended it",
    at: "when: Unix seconds",
  },
  identities: {
    account: ofAccount,
    provider: "the social provider's name in the settings",
    issuer: "the OpenID Connect issuer, else the provider's base address",
    id: "the person's id there",
    username: "the person's name there",
    avatar: "the address of a picture; empty where there is none",
    linked: unixSeconds,
  },
  skins: {
    skin: "the skin's UUID",
    account: ofAccount,
    name: "what it is called",
    model: "`classic` or `slim`",
    cape: orNull(`${ofCape}: the cape that is worn with it`, "no cape"),
    texture: digest,
    created: unixSeconds,
  },
  players: {
    player: "the player's UUID, by which games know it",
    account: ofAccount,
    name: "the username",
    name_derived: "whether the name was made from a social provider's, and no other was chosen yet",
    skin: orNull("the UUID of the skin that it shows", "none"),
    cape: orNull(`${ofCape}: shown in place of the skin's`, "the skin's cape, or none"),
    hides_cape: "whether it shows no cape, whatever its skin says",
    shares_skin: "whether others may wear its skin",
    created: unixSeconds,
    renamed: "when its owner last renamed it: Unix seconds; 0: never",
  },
  grants: {
    account: ofAccount,
    cape: `${ofCape}, which the account may wear`,
    granted: unixSeconds,
    expires_at: orNull(unixSeconds, "without an end"),
  },
  audit: {
    id: "1 for the first entry",
    iss: "the actor's name",
    actor: orNull(
      "the acting account's UUID",
      "a service, the command line, the program or a deleted account",
    ),
    action: "what was done, as `user.create`",
    for: orNull("the UUID of the account that it concerns", "none, or a deleted account"),
    time: unixSeconds,
    detail: "old and new values, as an object",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The name of a file of JSON lines, without its ending. */
export type ExportedKind = keyof typeof exportFields;

/** Every kind of records, in the order of their files. */
export const exportedKinds = Object.keys(exportFields) as readonly ExportedKind[]; // the table's own keys

/** The fields of `passwords.jsonl`, and of the sealed parts. */
export const passwordFields = {
  account: ofAccount,
  hash: "the password's hash, in the form in which cloakroom keeps it",
} as const;

/** An entry of an export, by its kind. */
export type ExportEntry =
  | { readonly kind: "readme" }
  | { readonly kind: "texture"; readonly digest: string }
  | { readonly kind: "lines"; readonly of: ExportedKind | "passwords" }
  /** Numbered from 1 on: the lines of `passwords.jsonl`, sealed by a passphrase. */
  | { readonly kind: "sealed"; readonly number: number }
  | { readonly kind: "manifest" };

const single = { readme: "README.md", manifest: "manifest.json" } as const;

/** Bytes that an entry may have. */
const bytesMax: Readonly<Record<ExportEntry["kind"], number>> = {
  readme: limits.operatorFileBytesMax,
  texture: limits.storedTextureBytesMax,
  lines: Number.MAX_SAFE_INTEGER,
  sealed: 64 * 1024 * 1024,
  manifest: 16 * 1024 * 1024,
};

/** Bytes of a line. The longest are entries of the audit about steps with a thousand accounts. */
export const exportLineBytesMax = 1024 * 1024;

const sealedDigits = 4;

/** The entry's name in the archive. */
export function exportedName(entry: ExportEntry): string {
  if (entry.kind === "texture") return `textures/${entry.digest}.png`;
  if (entry.kind === "lines") return `${entry.of}.jsonl`;
  if (entry.kind === "sealed") return `passwords-${String(entry.number).padStart(sealedDigits, "0")}.sealed`;
  return single[entry.kind];
}

/** Reads an entry's name; null for a name that no export has. An accepted one never leads out of a folder. */
export function parseExported(name: string): ExportEntry | null {
  for (const kind of ["readme", "manifest"] as const) if (name === single[kind]) return { kind };
  const [, digest] = /^textures\/([0-9a-f]{64})\.png$/.exec(name) ?? [];
  if (digest !== undefined) return { kind: "texture", digest };
  const [, number] = /^passwords-(\d{4})\.sealed$/.exec(name) ?? [];
  if (number !== undefined) return { kind: "sealed", number: Number(number) };
  const [, lines] = /^([a-z]+)\.jsonl$/.exec(name) ?? [];
  const of = [...exportedKinds, "passwords" as const].find((one) => one === lines);
  return of === undefined ? null : { kind: "lines", of };
}

/** Whether an entry may have so many bytes. */
export function fitsExported(entry: ExportEntry, bytes: number): boolean {
  return bytes <= bytesMax[entry.kind];
}

/** The text of `README.md`. */
export function exportReadme(): string {
  const tables = Object.entries(exportFields).map(
    ([kind, fields]) => `## ${kind}.jsonl\n\n${fieldsTable(fields)}`,
  );
  return `${readmeBegin}\n${tables.join("\n")}\n## passwords.jsonl\n\nOnly of an export with hashes. With a passphrase the same lines are sealed, in parts: \`passwords-0001.sealed\` and so on.\n\n${fieldsTable(passwordFields)}`;
}

/** A table in Markdown with the meaning of each field. */
function fieldsTable(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return `| field | meaning |\n| --- | --- |\n${lines.join("\n")}\n`;
}

const readmeBegin = `# An export of a cloakroom

Everything that a community keeps about its people, for another program, for another cloakroom or to read.

- \`manifest.json\` says when it was made, how many records there are, and the size and SHA-256 of each file.
- Each \`.jsonl\` file has a JSON object on each line, in UTF-8. Times are Unix seconds.
- \`textures/<digest>.png\` are the skins and capes, named by the SHA-256 of their bytes.
- \`audit.jsonl\` is there to be read: an import leaves it out.
`;

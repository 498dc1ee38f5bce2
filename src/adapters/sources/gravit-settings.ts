import { PlainError } from "../../kernel/errors.ts";
import { limits } from "../../kernel/limits.ts";
import { readPlainText } from "../../kernel/plain-files.ts";

/** Where a LaunchServer keeps its users, and how it checks them. */
export type GravitSettings = {
  readonly table: string;
  readonly columns: { readonly uuid: string; readonly name: string; readonly password: string };
  /** A kind by the names of `PasswordForms`; null: by the text alone. */
  readonly passwordKind: string | null;
  /** Why no password comes over, as a sentence; null: they do. */
  readonly withoutPasswords: string | null;
  /** The files' names in the folders of skins and capes, as `%username%.png`; null: it does not say. */
  readonly skinName: string | null;
  readonly capeName: string | null;
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the auth of a `LaunchServer.json` that keeps its users in a database: the default one, or the only
 * one. Fails with not_found, invalid or too_large, naming the file and never a value of it.
 */
export async function readGravitSettings(path: string): Promise<GravitSettings> {
  const content = parseJson(path, await readPlainText(path, limits.operatorFileBytesMax));
  const auth = findAuth(path, content);
  const core = fieldsAt(auth, "core");
  const verifier = fieldsAt(core, "passwordVerifier");
  const textures = fieldsAt(auth, "textureProvider");
  return {
    table: named(path, core, "table"),
    columns: {
      uuid: named(path, core, "uuidColumn"),
      name: named(path, core, "usernameColumn"),
      password: named(path, core, "passwordColumn"),
    },
    ...passwordsOf(path, verifier),
    skinName: fileName(textures["skinLocalPath"] ?? textures["skinURL"]),
    capeName: fileName(textures["cloakLocalPath"] ?? textures["cloakURL"]),
  };
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // The parser's message may quote what stands there, as a password.
    throw new PlainError("invalid", `${path}: it is no JSON`);
  }
}

const databases = ["sql", "mysql", "mariadb", "postgresql"];

function findAuth(path: string, content: unknown): Fields {
  const auths = fieldsAt(asFields(content), "auth");
  const all = Object.entries(auths).map(([name, value]) => ({ name, auth: asFields(value) }));
  const [only] = all;
  if (only === undefined)
    throw new PlainError("invalid", `${path}: it has no auth, so it is no LaunchServer.json`);
  const found = all.find(({ auth }) => auth["isDefault"] === true) ?? (all.length === 1 ? only : undefined);
  if (found === undefined) {
    const names = all.map(({ name }) => name).join(", ");
    throw new PlainError(
      "invalid",
      `${path}: it has several auths (${names}); set isDefault of the one that counts`,
    );
  }
  const type = textAt(fieldsAt(found.auth, "core"), "type");
  if (databases.includes(type)) return found.auth;
  const known = `only ${databases.join(", ")} keep users in a database`;
  const rule =
    type === ""
      ? `auth.${found.name} has no core; it is of a LaunchServer before 5.2`
      : `auth.${found.name}.core has the type ${type}; ${known}`;
  throw new PlainError(
    "invalid",
    `${path}: ${rule}; export its users to a CSV file (docs/move/gravitlauncher.md)`,
  );
}

function named(path: string, core: Fields, field: string): string {
  const name = core[field];
  if (typeof name === "string" && name !== "") return name;
  throw new PlainError("invalid", `${path}: auth has no core.${field}`);
}

type Passwords = Pick<GravitSettings, "passwordKind" | "withoutPasswords">;

function passwordsOf(path: string, verifier: Fields): Passwords {
  const type = textAt(verifier, "type");
  if (type === "") throw new PlainError("invalid", `${path}: auth has no core.passwordVerifier.type`);
  if (["accept", "reject", "json"].includes(type)) {
    return { passwordKind: null, withoutPasswords: `the passwordVerifier ${type} checks no hash` };
  }
  const mode = type === "doubleDigest" && verifier["toHexMode"] === true ? "hex" : "";
  const kind = [type, textAt(verifier, "algo"), mode].filter((part) => part !== "").join(" ");
  // The texts of these show their kind.
  const isShown = ["bcrypt", "django", "phpass"].includes(type);
  return { passwordKind: isShown ? null : kind, withoutPasswords: null };
}

/** The last part of an address or path that holds what differs between players. */
function fileName(template: unknown): string | null {
  if (typeof template !== "string") return null;
  const name = template.split("?")[0]?.split(/[/\\]/).at(-1) ?? "";
  return /%(?:username|uuid|hash)%/.test(name) ? name : null;
}

function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

function fieldsAt(fields: Fields, name: string): Fields {
  return asFields(fields[name]);
}

function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

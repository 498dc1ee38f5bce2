/**
 * Another system that a community comes from: what it keeps, in a few records that all systems share. A
 * reader knows nothing of our database.
 */
import type { Level } from "../model/account.ts";
import type { OwnAccount, OwnCape, OwnGrant, OwnIdentity, OwnPlayer, OwnSkin } from "../model/own-records.ts";
import type { SkinModel } from "../model/texture.ts";

/** A system by the name that `--from` takes. `adapters/sources/sources.ts` has them all. */
export type SourceSystem = string;

/**
 * An open source, which shows what was there at one moment. Every method reads in the order of the records'
 * keys, a page at a time, and may be called once. Fails with a sentence that names cause and cure where the
 * source breaks off.
 */
export interface ImportSource extends AsyncDisposable {
  readonly system: SourceSystem;
  /** The hex SHA-256 of where it is (system, host, database or file); the same for the same place. */
  readonly place: string;
  readonly facts: SourceFacts;
  accounts(): SourcePages<SourceAccount>;
  players(): SourcePages<SourcePlayer>;
  textures(): SourcePages<SourceTexture>;
  /** Textures in wardrobes, and capes that accounts may wear. */
  holdings(): SourcePages<SourceHolding>;
  identities(): SourcePages<SourceIdentity>;
  factors(): SourcePages<SourceFactor>;
  invites(): SourcePages<SourceInvite>;
  /**
   * The bytes of a texture's file. Null where there is none. Fails with invalid for what is no plain file,
   * lies outside of its folder or is larger than `bytesMax`.
   */
  readTexture(texture: SourceTexture, bytesMax: number): Promise<Uint8Array | null>;
}

/** Records of one kind, page by page. */
export type SourcePages<Row> = AsyncIterable<SourcePage<Row>>;

/** Some records of one kind. */
export type SourcePage<Row> = {
  readonly rows: readonly Row[];
  /** Records that cannot be read, with the reason, as lines of a file. They do not come. */
  readonly problems: readonly SourceProblem[];
};

/** A record that does not come. */
export type SourceProblem = {
  /** The record's own key, as `line:12`. */
  readonly key: string;
  readonly kind: "account" | "player" | "identity" | "skin" | "cape" | "grant" | "factor" | "invite";
  /** A sentence. */
  readonly reason: string;
};

/** What is true of the whole source. */
export type SourceFacts = {
  /** How many accounts it has, for the progress; null: unknown. */
  readonly accounts: number | null;
  /** How it gives players their uuids where a record has none; null: it does not say. */
  readonly uuidRule: "offline" | "random" | null;
  /**
   * Whether players belong to accounts that come from elsewhere (`names`, `textures`): then they are matched
   * by uuid and name with players that are here.
   */
  readonly isAboutOthers: boolean;
  /** Sentences about what has no place here, as "12 reports of players do not come over". */
  readonly notes: readonly string[];
};

/** Times are Unix seconds; null: unknown. Texts are as they stand there, unchecked. */
export type SourceAccount = {
  /** Its own key there: table and number, as `users:5`. */
  readonly key: string;
  /** The name by which it signs in there, where that is no mail address; null: it has none. */
  readonly login: string | null;
  readonly mail: string | null;
  readonly mailVerified: boolean;
  readonly password: SourcePassword | null;
  /** 1 for everybody but the staff there: 2 where it has two kinds of staff, for the lower one, else 3. */
  readonly level: Level;
  readonly suspended: null | { readonly until: number | null; readonly reason: string };
  /** A locale in any form, as `ru_RU`. */
  readonly language: string | null;
  readonly createdAt: number | null;
  readonly lastSeenAt: number | null;
  /** How many players it may have; null: as the settings say. */
  readonly playersMax: number | null;
  /** Of a cloakroom's export: the account's own uuid. */
  readonly uuid: string | null;
  /** Of a cloakroom's export alone. */
  readonly own?: OwnAccount | undefined;
};

/** A password as it is kept there. */
export type SourcePassword = {
  /** The hash with whatever stands around it; the password itself where `kind` is `plain`. */
  readonly text: string;
  /**
   * A kind by the names of `PasswordForms`, from the system's settings or the row; null: by the form of the
   * text alone, or as the operator says.
   */
  readonly kind: string | null;
  /** A salt that stands apart. */
  readonly salt: string | null;
};

/** A player as it is kept there. */
export type SourcePlayer = {
  readonly key: string;
  /** The key of its account; null for a source about others' players. */
  readonly account: string | null;
  readonly name: string;
  /** With or without hyphens; null: it has none. */
  readonly uuid: string | null;
  /** The key of a texture; null: it shows none. */
  readonly skin: string | null;
  /** The arms that it wears the skin with; null: the texture's. */
  readonly skinModel: SkinModel | null;
  readonly cape: string | null;
  readonly createdAt: number | null;
  /** Of a cloakroom's export alone. */
  readonly own?: OwnPlayer | undefined;
};

/** A skin or a cape, once, however many wear it. */
export type SourceTexture = {
  readonly key: string;
  readonly kind: "skin" | "cape";
  /** Null: unnamed. */
  readonly name: string | null;
  /** As declared there; null: found from the pixels. */
  readonly model: SkinModel | null;
  /** Where its file is, in the reader's own words; `readTexture` reads it. */
  readonly file: string;
  readonly createdAt: number | null;
  /** Of a cloakroom's export alone: of a skin or of a cape, by its kind. */
  readonly ownSkin?: OwnSkin | undefined;
  readonly ownCape?: OwnCape | undefined;
};

/** A texture in the wardrobe of an account. */
export type SourceHolding = {
  readonly key: string;
  readonly account: string;
  /** The key of a texture. */
  readonly texture: string;
  /** What the account calls it; null: as the texture is called. */
  readonly name: string | null;
  readonly addedAt: number | null;
  /** Of a cloakroom's export alone: of a grant of a cape. */
  readonly ownGrant?: OwnGrant | undefined;
};

/** Somebody at a social provider to whom an account is linked. */
export type SourceIdentity = {
  readonly key: string;
  readonly account: string;
  readonly issuer: string;
  readonly subject: string;
  readonly username: string | null;
  /** Of a cloakroom's export alone. */
  readonly own?: OwnIdentity | undefined;
};

/** A second factor, or a password that launchers keep. Its secret is not read: nothing keeps it yet. */
export type SourceFactor = {
  readonly key: string;
  readonly account: string;
  /** Whether it is a password for launchers. */
  readonly isForLaunchers?: boolean;
};

/** An invitation that is still open. It is not kept yet. */
export type SourceInvite = { readonly key: string };

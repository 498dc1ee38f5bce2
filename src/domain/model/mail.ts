/** The languages that mails are written in, as BCP 47 has them. */
export const languages = ["en", "ru", "de", "zh-Hans"] as const;

/** A language that mails are written in. */
export type Language = (typeof languages)[number];

/** When and from which network somebody asked for a mail, in words; a question mark where it is not known. */
export type Origin = { readonly time: string; readonly network: string };

/**
 * Every mail that is sent, as data: what varies in it beside its recipient and language. A username is empty
 * while the registration is unfinished; the mail then names the recipient's address. Codes are in the form
 * that people read.
 */
export type Mail =
  /** The code that confirms a new account's address. */
  | ({ readonly template: "confirm"; readonly code: string; readonly link: string } & Origin)
  /**
   * Where answers are uniform: somebody registered with the address of an account. The link is the reset
   * page.
   */
  | ({ readonly template: "already-registered"; readonly username: string; readonly link: string } & Origin)
  /** Where answers are uniform: a member wants to move to the address of another account. */
  | ({ readonly template: "address-taken"; readonly username: string } & Origin)
  /** Where answers are uniform: somebody wants to reset the password of an account that is not there. */
  | ({ readonly template: "unknown-address" } & Origin)
  | ({
      readonly template: "reset";
      readonly username: string;
      readonly code: string;
      readonly link: string;
    } & Origin)
  /** To the address that a person gives along with a claim. */
  | ({
      readonly template: "claim";
      readonly username: string;
      readonly code: string;
      readonly link: string;
    } & Origin)
  /** To the new address. */
  | ({
      readonly template: "change-mail";
      readonly username: string;
      readonly code: string;
      readonly link: string;
    } & Origin)
  /** To the old address. The new one is shown masked. */
  | { readonly template: "mail-changed"; readonly username: string; readonly newMail: string }
  | { readonly template: "password-changed"; readonly username: string }
  /** Staff removed a skin of the account's wardrobe. The reason is theirs, on one line. */
  | {
      readonly template: "skin-removed";
      readonly username: string;
      readonly skin: string;
      readonly reason: string;
    }
  /**
   * The member wants their account deleted, which happens at this time. The link leads to where it is kept.
   */
  | {
      readonly template: "leaving";
      readonly username: string;
      readonly time: string;
      readonly link: string;
    }
  /** Staff suspended the account. `end` and `reason` are empty where they were not given. */
  | {
      readonly template: "suspended";
      readonly username: string;
      readonly end: string;
      readonly reason: string;
    }
  /** What an administrator sends to try the settings. */
  | { readonly template: "test" }
  /** A copy of what an administrator wrote to everybody. The link ends such mails for the account. */
  | {
      readonly template: "bulk";
      readonly username: string;
      readonly subject: string;
      /** The only value that may have more lines than one. */
      readonly message: string;
      readonly unsubscribe: string;
    };

/** A mail that one person gets for a reason of their own. */
export type PersonalMail = Exclude<Mail, { readonly template: "bulk" }>;

/** The name of a kind of mail. */
export type MailTemplate = Mail["template"];

/**
 * Mails that strangers can cause for any address; the limits on sending count them
 * (docs/contract/auth.md#codes).
 */
export const requestedTemplates: readonly MailTemplate[] = [
  "confirm",
  "already-registered",
  "address-taken",
  "unknown-address",
  "reset",
  "claim",
  "change-mail",
];

/**
 * An address that its owner recognises and others do not: `a***@example.org`. A masked one stays as it is.
 */
export function maskMail(mail: string): string {
  const at = mail.lastIndexOf("@");
  return at < 1 ? "***" : `${mail.slice(0, 1)}***${mail.slice(at)}`;
}

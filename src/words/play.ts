/** The launchers that the page has steps for, in its order. Each is the anchor of its part: `/play#hmcl`. */
export const launchers = ["hmcl", "pcl", "fjord", "xmcl", "gravit", "own", "other"] as const;
export type Launcher = (typeof launchers)[number];

/**
 * What stands below the text of a step: the address to copy, name and password to sign in with, the
 * community's links.
 */
export type StepPart = "address" | "sign-in" | "links";

/** A step. Names of buttons and fields, as the launcher has them, stand between asterisks. */
export type Step = { readonly text: string; readonly shows?: readonly StepPart[] };

export type LauncherWords = {
  readonly name: string;
  /** Where it runs, or what it is. */
  readonly about: string;
  /** What the reader should know before the first step. */
  readonly notice?: string;
  readonly steps: readonly Step[];
  /** For launchers that take the address dragged. */
  readonly drag?: string;
};

/** The texts of the page `/play`. Asterisks as in a step; `{community}` is the community's name. */
export type PlayWords = {
  readonly heading: string;
  readonly intro: string;
  readonly versions: string;
  readonly servers: string;
  /** Leads to the registration, whose link is between the brackets. */
  readonly account: string;
  readonly contents: string;
  /** Instead of everything else where no launcher can sign in. */
  readonly off: string;
  readonly name: string;
  /** For visitors without a name. */
  readonly anyName: string;
  readonly password: string;
  readonly ownPassword: string;
  readonly troubles: string;
  /**
   * Symptoms and remedies. The link in the first one leads to a new password, in the second one to the end of
   * the registration.
   */
  readonly trouble: {
    readonly password: string;
    readonly character: string;
    readonly several: string;
    readonly server: string;
  };
  readonly noScript: string;
  readonly launchers: Readonly<Record<Launcher, LauncherWords>>;
};

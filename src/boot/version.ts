import { version as packageVersion } from "../../package.json";

/** Set by the build (`--define`); they do not exist when the program runs from source. */
declare const CLOAKROOM_VERSION: string;
declare const CLOAKROOM_COMMIT: string;

/** The release, as package.json has it. */
export const version = typeof CLOAKROOM_VERSION === "string" ? CLOAKROOM_VERSION : packageVersion;

/** The commit that the program was made from; `unknown` outside a build and a git checkout. */
export function readCommit(): string {
  if (typeof CLOAKROOM_COMMIT === "string") return CLOAKROOM_COMMIT;
  const git = Bun.which("git");
  if (git === null) return "unknown";
  const asked = Bun.spawnSync([git, "rev-parse", "--short=12", "HEAD"], {
    cwd: import.meta.dir,
    stderr: "ignore",
  });
  return asked.success ? asked.stdout.toString().trim() : "unknown";
}

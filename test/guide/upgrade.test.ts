/*
 * What the changelog says to people who come from the last release, 0.2.0. The lists here change with the
 * next one.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { ConfigError, loadConfig } from "../../src/boot/config.ts";
import { settings } from "../../src/boot/config/settings.ts";
import { projectRoot } from "../tidy/project-files.ts";

/** The settings of 0.2.0, but for those that begin with SOCIAL_ and a provider's name. */
const former =
  `BACKUP_DIR BACKUP_KEEP BACKUP_PASSPHRASE BACKUP_SCHEDULE CORS_ORIGINS DATA_DIR HOST JWT_SECRET LISTEN_UNIX LOG_FORMAT
  LOG_LEVEL LOG_REQUESTS MAIL_FROM MAIL_PER_SECOND_MAX METRICS_HOST METRICS_PORT NAME_HOLD_DAYS PORT PRIVACY_UNIFORM_ANSWERS PUBLIC_URL
  RATE_LIMIT_FACTOR RENDER_CACHE_BYTES S3_ACCESS_KEY_ID S3_BUCKET S3_ENDPOINT S3_PREFIX S3_REGION S3_SECRET_ACCESS_KEY
  SERVICE_API_TOKEN SITE_URL SKIN_WIDTH_MAX SMTP_URL SOCIAL_PROVIDERS TEXTURE_BYTES_MAX TLS_CERT TLS_KEY TRUSTED_PROXIES
  USERNAME_PATTERN WARDROBE_MAX`.split(/\s+/);
const ofProvider =
  /^SOCIAL_(?:DISCORD|GITHUB|GOOGLE|OIDC|TWITCH)_(?:BASE_URL|CLIENT_ID|CLIENT_SECRET|ISSUER)$/;

/** What 0.2.0 took and this version does not. */
const refused: readonly (readonly [string, string])[] = [
  ["JWT_SECRET", "changeme".repeat(4)],
  ["SERVICE_API_TOKEN", "token".repeat(8)],
  ["TRUSTED_PROXIES", "0.0.0.0/0"],
  ["TRUSTED_PROXIES", "::/0"],
  ["METRICS_PORT", "3000"],
  ["DATA_DIR", "/var/lib"],
];

async function unreleased(): Promise<string> {
  const text = await Bun.file(join(projectRoot, "CHANGELOG.md")).text();
  return text.split(/^## /m).find((section) => section.startsWith("Unreleased\n")) ?? "";
}

test("the changelog names every setting that the last release did not have", async () => {
  const text = await unreleased();
  const added = Object.keys(settings).filter((name) => !former.includes(name) && !ofProvider.test(name));
  expect(added.length).toBeGreaterThan(20);
  expect(added.filter((name) => !text.includes(`\`${name}`))).toEqual([]);
});

test.each(refused)(
  "the changelog says what to do about %s %s, which a start refuses",
  async (name, value) => {
    const start = loadConfig({
      flags: {},
      environment: { PUBLIC_URL: "https://skins.example.org", [name]: value },
      file: null,
      logsToTerminal: false,
      serving: true,
    });
    expect(await start.catch((error: unknown) => error)).toBeInstanceOf(ConfigError);
    const [, toDo = ""] = /### What to do\n(.*?)^### /ms.exec(await unreleased()) ?? [];
    const [, refusals = ""] = /^- \*\*A start refuses more.\*\*(.*?)^- /ms.exec(toDo) ?? [];
    expect(refusals).toContain(`\`${name}\``);
  },
);

/*
 * Checks the API's document with two linters: `bun run gate:openapi`. The running program serves the
 * document, with every protocol on. Neither linter sends requests to other hosts.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { $ } from "bun";
import { fetchDocument } from "./api-document.ts";
import { everyProtocol } from "./every-protocol.ts";

$.env({ ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });

const project = resolve(import.meta.dir, "..");
const rules = join(project, "tools/openapi");
const folder = await mkdtemp(join(tmpdir(), "cloakroom-openapi-"));
try {
  const document = join(folder, "openapi.json");
  await Bun.write(document, await fetchDocument(everyProtocol));
  // The linters are written for Node; Bun runs them, so no second runtime is needed.
  const redocly =
    await $`bunx --bun redocly lint --config ${rules}/redocly.yaml --format stylish ${document}`.nothrow();
  const spectral =
    await $`bunx --bun spectral lint --ruleset ${rules}/spectral.yaml --fail-severity warn ${document}`.nothrow();
  process.exitCode = redocly.exitCode === 0 && spectral.exitCode === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}

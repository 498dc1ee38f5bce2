import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { projectFolder } from "../../tools/bundle.ts";

let project: string;

/** A repository with what the release looks at before it begins, and one commit. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "cloakroom-release-"));
  for (const name of ["tools", "src", "package.json", "bun.lock"]) {
    await cp(join(projectFolder, name), join(project, name), { recursive: true });
  }
  await Bun.write(
    join(project, "CHANGELOG.md"),
    `# Changelog\n\n## Unreleased\n\n## ${manifest.version}1 · then\n`,
  );
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "--quiet", "--message", "first");
});

afterAll(() => rm(project, { recursive: true }));

function git(...args: readonly string[]): void {
  const { success, stderr } = Bun.spawnSync(["git", ...args], { cwd: project, env: { HOME: project } });
  expect({ success, stderr: stderr.toString() }).toEqual({ success: true, stderr: "" });
}

function release(...args: readonly string[]) {
  // A git hook that runs the tests passes the place of its own repository to all that it starts.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  const child = Bun.spawnSync([process.execPath, "tools/release.ts", ...args], { cwd: project, env });
  return { code: child.exitCode, error: child.stderr.toString() };
}

test("refuses a commit without the tag of its version", () => {
  expect(release()).toEqual({ code: 1, error: `release: the commit has no tag v${manifest.version}\n` });
});

test("refuses a tag that is not the version's, also in a rehearsal", () => {
  git("tag", "v9.9.9");
  try {
    const error = `release: the tag v9.9.9 does not fit version ${manifest.version}\n`;
    expect(release()).toEqual({ code: 1, error });
    expect(release("--untagged")).toEqual({ code: 1, error });
  } finally {
    git("tag", "--delete", "v9.9.9");
  }
});

test("refuses a version that the changelog says nothing of, also in a rehearsal", () => {
  const error = `release: CHANGELOG.md has no section ${manifest.version}\n`;
  expect(release("--untagged")).toEqual({ code: 1, error });
});

test("the changelog of this project says what the version brings", async () => {
  const lines = (await Bun.file(join(projectFolder, "CHANGELOG.md")).text()).split("\n");
  expect(lines.filter((line) => line.startsWith(`## ${manifest.version} `))).toHaveLength(1);
});

test("refuses what is not committed, and names it", async () => {
  await Bun.write(join(project, "stray.ts"), "");
  try {
    const { code, error } = release("--untagged");
    expect(code).toBe(1);
    expect(error).toContain("?? stray.ts");
  } finally {
    await rm(join(project, "stray.ts"));
  }
});

test("refuses a target that there is not, and names those that there are", () => {
  const { code, error } = release("--untagged", "--target", "amiga");
  expect(code).toBe(1);
  expect(error).toContain("linux-x64, linux-arm64");
});

test("prints how it is used, when asked and when it is not understood", () => {
  const help = Bun.spawnSync([process.execPath, "tools/release.ts", "--help"], { cwd: project });
  expect({ code: help.exitCode, out: help.stdout.toString() }).toEqual({
    code: 0,
    out: expect.stringContaining("bun run release --untagged"),
  });
  expect(release("--untaged")).toEqual({
    code: 2,
    error: expect.stringMatching(/^Unknown option '--untaged'[^]*bun run release --untagged/),
  });
});

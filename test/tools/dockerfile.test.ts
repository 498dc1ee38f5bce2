import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../src/cli/commands.ts";
import { projectFolder } from "../../tools/bundle.ts";

const text = readFileSync(join(projectFolder, "Dockerfile"), "utf8");
const ignored = readFileSync(join(projectFolder, ".dockerignore"), "utf8").split("\n");
/** Each instruction on one line, without comments. */
const instructions = text
  .replaceAll(/\\\n/g, " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

function argumentsOf(name: string): readonly string[] {
  return instructions
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => line.slice(name.length + 1));
}

describe("the Dockerfile", () => {
  test("has a health check that is a command of the program, and runs no shell", () => {
    const [check = "", ...others] = argumentsOf("HEALTHCHECK");
    expect(others).toEqual([]);
    const [program, name] = JSON.parse(check.slice(check.indexOf("[")));
    expect([program, commands.some((one) => one.name === name)]).toEqual(["/usr/local/bin/cloakroom", true]);
    expect(argumentsOf("COPY").some((line) => line.endsWith(` ${program}`))).toBe(true);
    const [, final = ""] = text.split("FROM $BASE_IMAGE");
    expect(final).not.toMatch(/^(?:RUN|SHELL)\b/m);
    for (const name of ["ENTRYPOINT", "CMD"])
      for (const line of argumentsOf(name)) expect(JSON.parse(line)).toBeArray();
  });

  test("lets every image that it is made from be named by digest, and names a version of it", () => {
    const images = Object.fromEntries(
      argumentsOf("ARG")
        .filter((line) => line.includes("="))
        .map((line) => line.split("=")),
    );
    for (const line of argumentsOf("FROM")) {
      const [, name = ""] = /\$([A-Z_]+_IMAGE)\b/.exec(line) ?? [];
      expect(images[name]).toMatch(/^[a-z0-9./-]+:[a-z0-9.-]+$/);
      expect(images[name]).not.toEndWith(":latest");
    }
    expect(argumentsOf("LABEL").join(" ")).toContain('org.opencontainers.image.base.name="$BASE_IMAGE"');
  });

  test("copies what is there, and what the ignore file lets in", () => {
    const sources = argumentsOf("COPY")
      .filter((line) => !line.includes("--from"))
      .flatMap((line) => line.split(" ").slice(0, -1));
    expect(sources.filter((name) => !existsSync(join(projectFolder, name)))).toEqual([]);
    expect(sources.filter((name) => !ignored.includes(`!${name.split("/")[0]}`))).toEqual([]);
  });

  test("shows how to run it with the address that players reach", () => {
    const examples = text.split("\n").filter((line) => line.startsWith("# docker run "));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toMatch(/ -e PUBLIC_URL=https:\/\/\S+ /);
  });
});

import { readCommit, version } from "../boot/version.ts";
import { command } from "./command.ts";
import { factsText, json, jsonText } from "./output.ts";

export const versionCommand = command({
  name: "version",
  summary: "prints version, commit, Bun version and platform",
  settings: "none",
  options: { json },
  run: async ({ json }, { io }) => {
    const facts = {
      version,
      commit: readCommit(),
      bun: Bun.version,
      platform: `${process.platform}-${process.arch}`,
    };
    io.out(json ? jsonText(facts) : factsText(facts));
  },
});

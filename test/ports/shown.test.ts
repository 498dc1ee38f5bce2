import { expect, test } from "bun:test";
import { readProjectFiles } from "../tidy/project-files.ts";

/** Writes that change nothing of what events say players show. */
const others: Readonly<Record<string, { readonly writes: number; readonly why: string }>> = {
  "src/adapters/sql/player-store.ts": {
    writes: 6,
    why: "a name, its time, a uuid and the end of a player are events of their own; sharing a skin and an offline uuid are none",
  },
  "src/adapters/sqlite/database-copy.ts": { writes: 1, why: "a copy that lacks a file names no wings" },
  "src/adapters/sqlite/migrations.ts": { writes: 1, why: "no event has the offline uuid" },
  "src/adapters/postgres/migrations.ts": { writes: 1, why: "no event has the offline uuid" },
  "src/adapters/sql/import-players.ts": {
    writes: 1,
    why: "an import has one event, after which followers read all players again",
  },
  "src/adapters/sql/cape-store.ts": { writes: 1, why: "no event has the wings" },
};

const write =
  /build\s*\.(?:update|delete)\((?:skins|capes|players)\)|(?:UPDATE|DELETE FROM) (?:skins|capes|players)\b/g;

test("every change of what players show keeps what they showed before", () => {
  const files = readProjectFiles(/^src\/adapters\/(?:sql|sqlite|postgres)\/[a-z-]+\.ts$/);
  const escaped = files.flatMap(({ path, text }) =>
    [...text.matchAll(write)].flatMap(({ index }) => {
      const before = text.slice(0, index);
      return before.lastIndexOf("changesShown(") > before.lastIndexOf(";\n") ? [] : [path];
    }),
  );
  const known = Object.entries(others).flatMap(([path, { writes }]) =>
    Array.from({ length: writes }, () => path),
  );
  expect(escaped.toSorted()).toEqual(known.toSorted());
});

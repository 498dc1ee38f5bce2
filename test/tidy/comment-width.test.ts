import { expect, test } from "bun:test";
import { wrapComments, wrappedFiles } from "../../tools/wrap-comments.ts";
import { readProjectFiles } from "./project-files.ts";

test("a line of a comment has at most 110 characters", () => {
  const files = readProjectFiles(wrappedFiles);
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter(({ text }) => wrapComments(text) !== text).map(({ path }) => path)).toEqual([]);
});

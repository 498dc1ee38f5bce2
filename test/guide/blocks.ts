/** Shell lines in Markdown that a reader pastes. */
export type Block = { readonly page: string; readonly line: number; readonly script: string };

/** The shell blocks of a page. A block within a list is indented. */
export function blocksOf(page: string, text: string): readonly Block[] {
  return [...text.matchAll(/^(?<indent> *)```sh\n(?<script>.*?)^ *```$/gms)].map((match) => ({
    page,
    line: text.slice(0, match.index).split("\n").length,
    script: (match.groups?.["script"] ?? "").replaceAll(
      new RegExp(`^${match.groups?.["indent"] ?? ""}`, "gm"),
      "",
    ),
  }));
}

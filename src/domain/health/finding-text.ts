/** Text, or text that names values. */
type Sentence = string | ((values: never) => string);

/** A finding in English: how bad, what, and what to do about it. The console has other languages. */
export type FindingText =
  | { readonly state: "ok"; readonly text: Sentence }
  | { readonly state: "warning" | "problem"; readonly text: Sentence; readonly remedy: Sentence };

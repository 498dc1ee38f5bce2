/** A state in a word. The colour repeats what the word says. */
export function Badge({
  text,
  mood = "plain",
}: {
  readonly text: string;
  readonly mood?: "plain" | "good" | "warn" | "bad";
}) {
  return <span class={`badge badge-${mood}`}>{text}</span>;
}

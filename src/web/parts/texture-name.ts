/** Characters of a name of a skin or cape. */
export const nameLengthMax = 64;

/** Controls, and what shows nothing, joiners apart. */
const refused =
  /(?![\u200C\u200D])(?:[\p{C}\p{Zl}\p{Zp}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point})/gu;
/** Joiners that join nothing. */
const loose =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}])\u200D|(?<=^|\s)\u200C|[\u200C\u200D](?=$|[\s\u200C\u200D])/gu;

/** The first name of a skin or cape: the file's, without its ending and what the API would refuse. */
export function nameOfFile({ name }: File): string {
  const base = name.replace(/\.[a-z0-9]{1,5}$/i, "").replaceAll(refused, "");
  const cut = Array.from(base.normalize("NFC")).slice(0, nameLengthMax).join("").trim();
  return cut.replaceAll(loose, "");
}

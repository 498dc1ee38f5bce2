const nameLengthMax = 64;
/** For fields. The API counts characters, fields count UTF-16 units: a character has two at most. */
export const nameUnitsMax = 2 * nameLengthMax;

const refused = /[\p{C}\p{Zl}\p{Zp}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;

/** The first name of a skin or cape: the file's, without its ending and what the API would refuse. */
export function nameOfFile({ name }: File): string {
  const base = name.replace(/\.[a-z0-9]{1,5}$/i, "").replaceAll(refused, "");
  return Array.from(base.normalize("NFC")).slice(0, nameLengthMax).join("").trim();
}

import { words } from "../../words/language.ts";

const nameLengthMax = 64;
/** The API counts characters, fields count UTF-16 units: a character has two at most. */
export const nameUnitsMax = 2 * nameLengthMax;

export function modelOptions() {
  const { classic, slim } = words.value.home.models;
  return [
    { value: "classic", text: classic },
    { value: "slim", text: slim },
  ];
}

/** A skin's first name: the file's, without its ending and what the API would refuse. */
export function nameOfFile({ name }: File): string {
  const base = name.replace(/\.[a-z0-9]{1,5}$/i, "").replaceAll(/\p{C}/gu, "");
  return Array.from(base.normalize("NFC")).slice(0, nameLengthMax).join("").trim();
}

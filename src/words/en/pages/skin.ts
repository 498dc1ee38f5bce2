import { plural } from "../../plural.ts";

/** The dialog in which staff look at one skin. */
export const skin = {
  inspect: "Inspect",
  inspectThing: (name: string) => `Inspect ${name}`,
  sheetOf: (name: string) => `The file of ${name}`,
  download: "Download the file",
  measures: (width: number, height: number) => `${width}x${height} pixels`,
  owner: "Owner",
  others: "Others with this picture",
  othersCount: (count: number, shown: string) =>
    plural("en", count, { one: "1 other skin has it.", other: `${shown} other skins have it.` }),
  noOthers: "No one else has this picture.",
  removals: "Skins removed before",
  noRemovals: "No skin of this person was removed by staff.",
  noReason: "No reason was given.",
  banned: "banned",
  more: (count: number) => plural("en", count, { one: "and 1 more", other: `and ${count} more` }),
};

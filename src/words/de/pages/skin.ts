import { plural } from "../../plural.ts";

export const skin = {
  inspect: "Ansehen",
  inspectThing: (name: string) => `Ansehen: ${name}`,
  sheetOf: (name: string) => `Die Datei von ${name}`,
  download: "Datei herunterladen",
  measures: (width: number, height: number) => `${width}x${height} Pixel`,
  owner: "Gehört",
  others: "Andere mit diesem Bild",
  othersCount: (count: number, shown: string) =>
    plural("de", count, { one: "1 weiterer Skin hat es.", other: `${shown} weitere Skins haben es.` }),
  noOthers: "Sonst hat niemand dieses Bild.",
  removals: "Früher entfernte Skins",
  noRemovals: "Von dieser Person hat das Team noch keinen Skin entfernt.",
  noReason: "Ohne Begründung.",
  banned: "gesperrt",
  more: (count: number) => `und ${count} weitere`,
};

export const wardrobe = {
  myPage: "Meine Seite",
  show: (name: string) => `${name} zeigen`,
  back: "Zurück",
  backToWorn: "Zurück zu dem, was du trägst",
  moves: "Drehen und bewegen",
  removed: "Gelöscht",
  undoThing: (name: string) => `Rückgängig: ${name} behalten`,
  removedThing: (name: string) => `${name} ist gelöscht. Zehn Sekunden lang kannst du das rückgängig machen.`,
  keptThing: (name: string) => `${name} bleibt`,
  goneElsewhere: (name: string) =>
    `${name} ist nicht mehr in deiner Garderobe: Der Skin wurde anderswo gelöscht.`,
  capeGone: (name: string) => `${name} gehört nicht mehr zu deinen Umhängen.`,
  pasted: (when: string) => `Eingefügt ${when}`,
  twin: (name: string) => `Dieses Bild hast du schon: ${name}.`,
  addedTwin: (name: string, other: string) => `${name} ist in deiner Garderobe. ${other} hat dasselbe Bild.`,
};

export const player = {
  view: (name: string) => `3D-Ansicht von ${name}`,
  turnLeft: "Nach links drehen",
  turnRight: "Nach rechts drehen",
  pause: "Animation anhalten",
  play: "Animation abspielen",
  animation: "Animation",
  animations: { idle: "Stehen", walk: "Gehen", run: "Rennen", fly: "Fliegen" },
  download: "Skin herunterladen",
  capeOf: (name: string) => `Der Umhang von ${name}`,
  noCape: (name: string) => `${name} trägt keinen Umhang.`,

  steps: "Schritt für Schritt für jeden Launcher",
  playWithLook: "Mit diesem Aussehen spielen: Schritte für jeden Launcher",
};

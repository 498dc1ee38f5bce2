export const player = {
  view: (name: string) => `3D view of ${name}`,
  turnLeft: "Turn left",
  turnRight: "Turn right",
  pause: "Pause animation",
  play: "Play animation",
  animation: "Animation",
  animations: { idle: "Stand", walk: "Walk", run: "Run", fly: "Fly" },
  download: "Download the skin",
  capeOf: (name: string) => `The cape of ${name}`,
  noCape: (name: string) => `${name} wears no cape.`,

  steps: "Step by step for each launcher",
  playWithLook: "Play with this look: steps for each launcher",
};

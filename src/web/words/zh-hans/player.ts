export const player = {
  view: (name: string) => `${name} 的 3D 视图`,
  turnLeft: "向左转",
  turnRight: "向右转",
  pause: "暂停动画",
  play: "播放动画",
  animation: "动画",
  animations: { idle: "站立", walk: "行走", run: "奔跑", fly: "飞行" },
  download: "下载皮肤",
  capeOf: (name: string) => `${name} 的披风`,
  noCape: (name: string) => `${name} 没有佩戴披风。`,

  steps: "各启动器的详细步骤",
  playWithLook: "带着这身装扮进入游戏：各启动器的步骤",
};

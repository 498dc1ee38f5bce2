export const player = {
  view: (name: string) => `3D-вид: ${name}`,
  turnLeft: "Повернуть влево",
  turnRight: "Повернуть вправо",
  pause: "Остановить анимацию",
  play: "Запустить анимацию",
  animation: "Анимация",
  animations: { idle: "Стоять", walk: "Идти", run: "Бежать", fly: "Лететь" },
  download: "Скачать скин",
  capeOf: (name: string) => `Плащ игрока ${name}`,
  noCape: (name: string) => `${name} не носит плаща.`,

  steps: "По шагам для каждого лаунчера",
  playWithLook: "Играйте в этом облике: шаги для каждого лаунчера",
};

export const wardrobe = {
  myPage: "Моя страница",
  show: (name: string) => `Показать: ${name}`,
  back: "Назад",
  backToWorn: "Назад к тому, что надето",
  moves: "Поворот и движение",
  removed: "Удалено",
  undoThing: (name: string) => `Отменить удаление: ${name}`,
  removedThing: (name: string) => `Удалено: ${name}. Отменить можно в течение десяти секунд.`,
  keptThing: (name: string) => `Оставлено: ${name}`,
  goneElsewhere: (name: string) => `${name}: этого скина в гардеробе больше нет, его удалили в другом месте.`,
  capeGone: (name: string) => `${name}: этого плаща у вас больше нет.`,
  pasted: (when: string) => `Вставлено ${when}`,
  twin: (name: string) => `Такая картинка у вас уже есть: ${name}.`,
  addedTwin: (name: string, other: string) =>
    `Добавлено в гардероб: ${name}. Та же картинка у скина ${other}.`,
};

import { plural } from "../../plural.ts";

export const skin = {
  inspect: "Осмотреть",
  inspectThing: (name: string) => `Осмотреть ${name}`,
  sheetOf: (name: string) => `Файл скина ${name}`,
  download: "Скачать файл",
  measures: (width: number, height: number) => `${width}x${height} пикселей`,
  owner: "Владелец",
  others: "У кого ещё эта картинка",
  othersCount: (count: number, shown: string) =>
    plural("ru", count, {
      one: `Она ещё у ${shown} скина.`,
      few: `Она ещё у ${shown} скинов.`,
      many: `Она ещё у ${shown} скинов.`,
      other: `Она ещё у ${shown} скина.`,
    }),
  noOthers: "Больше ни у кого этой картинки нет.",
  removals: "Удалённые раньше скины",
  noRemovals: "Администрация не удаляла скинов этого игрока.",
  noReason: "Причина не указана.",
  banned: "запрещён",
  more: (count: number) => `и ещё ${count}`,
};

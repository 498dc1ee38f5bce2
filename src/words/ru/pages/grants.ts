import { plural } from "../../plural.ts";

const people = (count: number) =>
  plural("ru", count, { few: `${count} человека`, other: `${count} человек` });

export const grants = {
  action: "Что сделать",
  give: "Выдать",
  take: "Забрать",
  giveThing: (name: string) => `Выдать: ${name}`,
  takeThing: (name: string) => `Забрать: ${name}`,
  takeFrom: (name: string) => `Забрать у ${name}`,
  who: "Кого это касается",
  people: "Выбранных людей",
  everybody: "Всех",
  ownersOf: "Владельцев другого плаща",
  otherCape: "Другой плащ",
  chooseFirst: "Сначала выберите людей",
  chooseCape: "Сначала выберите другой плащ",
  endHelp: "Пусто: бессрочно. У тех, у кого плащ уже есть, срок не меняется.",
  giveEverybody: (count: number) =>
    `Плащ получат все, у кого сейчас есть учётная запись и нет этого плаща: ${people(count)}. Те, кто зарегистрируется позже, его не получат.`,
  giveOwners: (count: number, other: string) =>
    `Плащ получат владельцы «${other}», у которых его нет: не больше чем ${people(count)}. Те, кому «${other}» выдадут позже, его не получат.`,
  takeEverybody: (count: number) =>
    `Плаща лишатся все владельцы: ${people(count)}. Он исчезнет с их скинов. Отменить это нельзя.`,
  takeOwners: (count: number, other: string) =>
    `Этого плаща лишатся владельцы «${other}»: не больше чем ${people(count)}. Он исчезнет с их скинов. Отменить это нельзя.`,
  stepByStep: "Работа идёт, пока это окно открыто. Если она прервётся, повторите: сделанное останется.",
  soFar: (count: number) => `Сделано: ${people(count)}`,
  given: (count: number) =>
    plural("ru", count, {
      one: `Плащ получил ${count} человек`,
      few: `Плащ получили ${count} человека`,
      other: `Плащ получили ${count} человек`,
    }),
  taken: (count: number) => `Плащ забран: ${people(count)}`,

  roleOf: (name: string, level: string) => `Роль ${name}: ${level}`,
  makesAdministrator: (name: string) =>
    `${name} сможет менять здесь всё: пользователей и их роли, в том числе вашу, плащи, рассылки и токены.`,
  makesModerator: (name: string) =>
    `${name} увидит всех пользователей с адресами почты и журнал и сможет менять и удалять скины.`,
  losesAdministration:
    "Это ваша собственная роль. Вы сможете смотреть пользователей, плащи и журнал и следить за скинами, но не менять пользователей, роли, плащи и рассылки. Вернуть её сможет только другой администратор.",
  losesStaff:
    "Это ваша собственная роль. Страницы управления станут вам недоступны. Вернуть её сможет только другой администратор.",
  roleUntil: (end: string, level: string) => `До ${end}, затем: ${level}.`,
};

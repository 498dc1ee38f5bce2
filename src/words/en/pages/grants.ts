import { plural } from "../../plural.ts";

const people = (count: number) => plural("en", count, { one: "1 person", other: `${count} people` });

export const grants = {
  action: "What to do",
  give: "Give",
  take: "Take away",
  giveThing: (name: string) => `Give ${name}`,
  takeThing: (name: string) => `Take away ${name}`,
  takeFrom: (name: string) => `Take away from ${name}`,
  who: "Who",
  people: "People",
  everybody: "Everybody",
  ownersOf: "The owners of another cape",
  otherCape: "The other cape",
  chooseFirst: "Choose people first",
  chooseCape: "Choose the other cape first",
  endHelp: "Empty: never. A person who has the cape keeps the end that is set.",
  giveEverybody: (count: number) =>
    `Everybody who has an account now and lacks the cape gets it: ${people(count)}. A person who registers later does not get it.`,
  giveOwners: (count: number, other: string) =>
    `The owners of ${other} that lack the cape get it: ${people(count)} at most. A person who gets ${other} later does not get it.`,
  takeEverybody: (count: number) =>
    `All owners lose the cape: ${people(count)}. It is taken off their skins. This cannot be taken back.`,
  takeOwners: (count: number, other: string) =>
    `The owners of ${other} lose this cape: ${people(count)} at most. It is taken off their skins. This cannot be taken back.`,
  stepByStep: "It goes on while this stays open. If it is interrupted, do it again: what is done stays.",
  soFar: (count: number) => `Done so far: ${people(count)}`,
  given: (count: number) => plural("en", count, { one: "1 person got it", other: `${count} people got it` }),
  taken: (count: number) =>
    plural("en", count, { one: "It was taken from 1 person", other: `It was taken from ${count} people` }),

  roleOf: (name: string, level: string) => `Set the role of ${name}: ${level}`,
  makesAdministrator: (name: string) =>
    `${name} may then change everything here: users and their roles, your own too, capes, mails to everybody and tokens.`,
  makesModerator: (name: string) =>
    `${name} then sees all users with their mail addresses and the audit, and may change and delete skins.`,
  losesAdministration:
    "This is your own role. You can then look at users, capes and the audit and moderate skins, but change no user, role, cape or mail. Only another administrator can give it back.",
  losesStaff:
    "This is your own role. You can then open no page of the administration. Only another administrator can give it back.",
  roleUntil: (end: string, level: string) => `Until ${end}, then: ${level}.`,
};

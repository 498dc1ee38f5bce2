import { plural } from "../../plural.ts";

export const account = {
  show: "Show",
  passwordRule: (least: number) =>
    `At least ${plural("en", least, { one: "1 character", other: `${least} characters` })}. A few words make a good one.`,
  currentPassword: "Current password",

  nowCalled: (name: string) => `Your name is ${name}. A former name is held for you for a while.`,
  newPlayerName: "New player name",
  changeName: "Change name",
  nameChanged: (name: string) => `Your name is ${name} now`,

  passwordHelp: "All your other sessions end.",
  changePassword: "Change password",
  passwordChanged: "Password changed",
  noPassword: (name: string) =>
    `You sign in through another site, and your name ${name} was taken from there. Choose a name and a password once: then you can also sign in here and in launchers.`,
  chooseBoth: "Choose name and password",

  mailNow: (mail: string) => `Your address is ${mail}. A new one gets a code first.`,
  mailUnconfirmed: (mail: string) =>
    `Your address is ${mail}, and it is not confirmed yet. A code goes to it, or to a new one.`,
  mailNone: "Your account has no address yet. A new one gets a code first.",
  newMail: "New e-mail",
  codeOnItsWay: (mail: string) => `A code is on its way to ${mail}`,
  confirmMailHeading: "Confirm your new e-mail",
  confirmMailHelp: "Enter the code that was sent to the new address. All your other sessions end.",
  mailChanged: "E-mail changed",

  connections: "Connections",
  connectedAs: (name: string) => `You are connected as ${name} and may sign in that way.`,
  connectHelp: "Connect your account to sign in without a password.",
  connect: (provider: string) => `Connect ${provider}`,
  disconnect: "Disconnect",
  disconnected: "Disconnected",

  players: "Players",
  playersHelp: (most: number) =>
    plural("en", most, {
      one: "Your account may have one player.",
      other: `Your account may have ${most} players. They share your skins, capes and password.`,
    }),
  mainPlayer: "Main player",
  newPlayer: "New player",
  name: "Name",
  addPlayer: "Add player",
  newPlayerHelp: "Another character of yours, with its own look.",
  renameHelp: "Games see the new name at the next sign-in. The former one is held for you for a while.",
  playerAdded: (name: string) => `${name} is here`,
  playerRenamed: (before: string, after: string) => `${before} is called ${after} now`,
  deletePlayerHelp:
    "The player leaves the game for good. Its name is held for you for a while; skins and capes stay.",

  sessions: "Sessions",
  sessionsHelp: "Where you are signed in, on this website and in launchers.",
  thisDevice: "This device",
  web: "Website",
  game: "Game",
  unknownProgram: "Unknown program",
  usedAgo: (ago: string) => `last used ${ago}`,
  endSession: "End session",
  endSessionOf: (program: string) => `End session ${program}`,
  sessionEnded: "Session ended",

  aliases: "Old names for signing in",
  aliasesHelp:
    "They come from the server where you played before. You can sign in with them; others do not see them.",
  aliasSince: (day: string) => `kept since ${day}`,
  aliasRemoved: (name: string) => `${name} no longer signs you in`,

  export: "Export",
  exportHelp:
    "A Zip archive with everything that is kept about you: profile, players, skins, capes, sessions, mails and what staff did. You can download it three times a day.",
  freshSignIn: "This works for 15 minutes after signing in.",
  download: "Download my data",
  downloaded: "Your data was downloaded",

  deleteAccount: "Delete account",
  deleteAccountHelp: "Your players, skins and capes go with it, and all your sessions end now.",
  deleteDays: (days: number) =>
    days === 0
      ? "The account is deleted at once, for good."
      : `You can sign in again and keep the account for ${plural("en", days, { one: "1 day", other: `${days} days` })}.`,
  deleteNeedsPassword: "It takes a password, and your account has none yet. Choose one first.",
  accountLeavesOn: (moment: string) =>
    `Your account will be deleted on ${moment}. Sign in before then to keep it.`,
  accountGone: "Your account is deleted",
};

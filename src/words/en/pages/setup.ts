export const setup = {
  heading: "Set up",
  welcome: "You make the first administrator of this server. The link of this page works once.",
  create: "Create administrator",
  created: (name: string) => `Welcome, ${name}. You run this server now.`,
  noLink:
    "Open the link that the server prints on its terminal when it starts. Everything behind # belongs to it.",
  isDone: "This server has its administrator already. Nothing is left to do here.",

  fileHeading: "Settings",
  fileHelp:
    "Settings are lines of one file. Fill in what you know, copy the lines into the file, and restart the server.",
  fill: "Fill in what you know",
  communityName: "Name of your community",
  colour: "Colour of buttons and links",
  publicAddress: "Address that players reach",
  publicAddressHelp:
    "Such as https://skins.example.org. Leave it empty until that address leads to this server.",
  nameFault: "Write one line of at most 60 characters, with a letter or a digit.",
  addressFault: "Write an address such as https://skins.example.org, without a user name, ? or #.",
  nightlyBackup: "A backup every night",
  copyBlock: "Copy these lines",
  blockHelp:
    "A line that begins with # is an example and counts for nothing. To use it, take the # away and write your own value.",
  blockLabel: "Lines for the file",
  copyLines: "Copy lines",
  putInto: "Put them into this file",
  fileIsNew: "The file is not there yet: make it.",
  fileIsThere: "The file is there already: add the lines at its end.",
  fileChanged: "The file was changed since this server started: restart the server.",
  fileRefused: "The next start refuses the file. Correct it first:",
  inContainer: "The path is inside the container; docker cp brings a file there.",
  copyPath: "Copy path",
  restart: "Restart the server",
  restarts: {
    terminal: "Press Ctrl+C in the terminal where it runs, then start it again as before.",
    npm: "Press Ctrl+C in the terminal where it runs, then start it again as before:",
    systemd: "As root, run:",
    container: "Restart its container.",
    unknown: "Stop it, and start it again as you did before.",
  },
  thenLoad: "Then load this page again: what is set shows as done.",
  loadAgain: "Load this page again",
  allGiven: "All settings of this page are set.",
  inFile: (names: string) => `In the file already: ${names}.`,
  beatsFile: (names: string) => `Set in the environment or by flags, which beat the file: ${names}.`,
  copyAddress: "Copy the address",
  onlyHere: "So far it opens on this machine alone. Set the public address first.",
  copyCommand: (command: string) => `Copy the command ${command}`,
  commandsIn: (folder: string) =>
    `Type commands in the folder ${folder}, in another terminal. The server may run meanwhile.`,

  next: "What to do next",
  done: "Done",
  open: "To do",
  unknown: "See for yourself",
  setting: "Setting",
  settings: "Settings",
  steps: {
    invite: {
      title: "Invite people",
      text: "People make their accounts at this address. Give it to them, for example on your Discord.",
    },
    mail: {
      title: "Send mail",
      text: "Codes for registrations and new passwords go out by mail. Without a mail server each mail becomes a file in the data folder.",
    },
    address: {
      title: "Set the public address",
      text: "Launchers, games and links in mails use the address that players reach.",
    },
    tls: {
      title: "Speak https",
      text: "Passwords need it on the way. A proxy such as Caddy gets certificates by itself; without one, the server takes a certificate of yours.",
    },
    backups: {
      title: "Plan backups",
      text: "A backup holds accounts, skins and keys. Keep a copy on another machine.",
    },
    community: {
      title: "Introduce your community",
      text: "Name, text, links, logo and colour of the start page and of mails.",
    },
  },
  check: "Check everything",
  checkText:
    "The doctor looks at settings, folders, mail, the public address and backups, and says how to correct what is wrong.",
  toOverview: "Open the overview",
};

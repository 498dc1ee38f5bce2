export const setup = {
  heading: "Set up",
  welcome: "You make the first administrator of this server. The link of this page works once.",
  create: "Create administrator",
  created: (name: string) => `Welcome, ${name}. You run this server now.`,
  noLink:
    "Open the link that the server prints on its terminal when it starts. Everything behind # belongs to it.",
  isDone: "This server has its administrator already. Nothing is left to do here.",

  next: "What to do next",
  nextHelp:
    "Settings go into the environment, or into the file that --config names; they count after a restart. The values here are examples.",
  done: "Done",
  open: "To do",
  unknown: "See for yourself",
  setting: "Setting",
  settings: "Settings",
  command: "Command",
  steps: {
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

import type { PlayWords } from "../play.ts";

export const play: PlayWords = {
  heading: "Play",
  intro:
    "Choose your launcher and follow its steps once. From then on you play with your account of {community}, and everybody sees your skin and your cape.",
  versions:
    "For Minecraft: Java Edition, in every version. The Bedrock Edition knows no accounts of other websites.",
  servers:
    "The game server has to use the accounts of {community}, too: the people who run the server set that up.",
  account: "You need an account here with a player. [Register] first if you have none.",
  contents: "Launchers",
  off: "No launcher can sign in here at the moment. Ask the people who run {community} how to play.",
  name: "Name",
  anyName: "the name of your player, or your e-mail",
  password: "Password",
  ownPassword: "your password of this website",
  troubles: "If it does not work",
  trouble: {
    password:
      "The launcher refuses the password: it is that of this website. If you sign in here with another site and have no password yet, [set one]. After several wrong tries wait a minute.",
    character:
      "The launcher finds no character: your account has no player yet. [Choose its name] on this website.",
    several:
      "You have several players: the name of a player signs in as that one; with your e-mail the launcher lets you choose.",
    server:
      "A server says “Failed to verify username” or “Invalid session”: it does not use the accounts of {community}, or the launcher started the game with another account.",
  },
  noScript: "Select an address to copy it: buttons that copy it need JavaScript.",
  launchers: {
    hmcl: {
      name: "HMCL",
      about: "Hello Minecraft! Launcher, for Windows, macOS and Linux",
      steps: [
        { text: "Click the account at the top of the sidebar. The *Account List* opens." },
        {
          text: "At the bottom left choose *New Auth Server*, enter the address as *Server URL* and confirm.",
          shows: ["address"],
        },
        {
          text: "Choose the new server in the sidebar, sign in and press *Log in*.",
          shows: ["sign-in"],
        },
        { text: "Start the game with this account." },
      ],
      drag: "Or drag the address into the window of HMCL: it opens the second step with the address filled in.",
    },
    pcl: {
      name: "PCL",
      about: "Plain Craft Launcher, for Windows, in Chinese",
      steps: [
        {
          text: "Open the settings of a version: *版本设置* → *设置* → *服务器*. As *登录方式* (way to sign in) choose *第三方登录：Authlib Injector 或 LittleSkin*, and enter the address as *认证服务器*. In the Community Edition make a new profile instead, *新建档案*, of the third-party kind (*第三方验证*), and enter the address as *服务器*.",
          shows: ["address"],
        },
        {
          text: "Sign in on the page from which the game starts. The field *邮箱* (e-mail) takes the name of a player, too. Press *登录*.",
          shows: ["sign-in"],
        },
        { text: "Start the game." },
      ],
      drag: "Or drag the address into the window of PCL and answer *确定*: that does the first step.",
    },
    fjord: {
      name: "Prism Launcher and Fjord Launcher",
      about: "for Windows, macOS and Linux",
      notice:
        "Prism Launcher itself knows no accounts of other websites, so it cannot sign in here. Fjord Launcher is Prism Launcher with such accounts, which it calls authlib-injector accounts.",
      steps: [
        { text: "Install Fjord Launcher. At the top right open the accounts and choose *Manage Accounts…*" },
        {
          text: "On the right choose *Add authlib-injector*. Fjord Launcher asks for a Microsoft account that owns Minecraft first; if you have not added it yet, choose *Add Microsoft* before.",
        },
        {
          text: "Enter name, password and, in the third line, the address. Press *OK*.",
          shows: ["sign-in", "address"],
        },
        {
          text: "Start the game with this account. The first time Fjord Launcher asks about authlib-injector: choose *Install authlib-injector*.",
        },
      ],
    },
    xmcl: {
      name: "XMCL",
      about: "X Minecraft Launcher, for Windows, macOS and Linux",
      steps: [
        { text: "Click the icon of your account and choose *Add Account*." },
        {
          text: "In the list *Auth Service* choose *Add More Services*, enter the address and save it.",
          shows: ["address"],
        },
        {
          text: "Choose the new service in the list and sign in. The field *Email Address* takes the name of a player, too.",
          shows: ["sign-in"],
        },
        { text: "Start the game with this account." },
      ],
    },
    gravit: {
      name: "GravitLauncher",
      about: "the launcher of a community that uses GravitLauncher",
      steps: [
        {
          text: "Get the launcher of {community} from the people who run it. It knows the address already.",
          shows: ["links"],
        },
        { text: "Fill in *LOGIN* and *PASSWORD* and press *ENTER*.", shows: ["sign-in"] },
        { text: "Choose a server and press *PLAY*." },
      ],
    },
    own: {
      name: "A launcher or pack of {community}",
      about: "if your community has one",
      steps: [
        {
          text: "Get it from the people who run {community}. It knows the address already.",
          shows: ["links"],
        },
        { text: "Start it and sign in.", shows: ["sign-in"] },
      ],
    },
    other: {
      name: "Another launcher",
      about: "BakaXL and all that know authlib-injector",
      steps: [
        {
          text: "Look in the accounts for authlib-injector, Yggdrasil, or a third-party authentication server, and enter the address there.",
          shows: ["address"],
        },
        { text: "Sign in.", shows: ["sign-in"] },
      ],
      drag: "Many of these launchers take the address when you drag it into their window.",
    },
  },
};

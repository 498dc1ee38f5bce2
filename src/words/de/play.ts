import type { PlayWords } from "../play.ts";

export const play: PlayWords = {
  heading: "Spielen",
  intro:
    "Wähle deinen Launcher und folge einmal seinen Schritten. Danach spielst du mit deinem Konto von {community}, und alle sehen deinen Skin und deinen Umhang.",
  versions:
    "Für Minecraft: Java Edition, in jeder Version. Die Bedrock Edition kennt keine Konten anderer Websites.",
  servers:
    "Auch der Spielserver muss die Konten von {community} verwenden: Das richten die Betreiber des Servers ein.",
  account: "Du brauchst hier ein Konto mit einem Spieler. [Registriere dich] zuerst, wenn du keins hast.",
  contents: "Launcher",
  off: "Zurzeit kann sich hier kein Launcher anmelden. Frag die Leute von {community}, wie du spielen kannst.",
  name: "Name",
  anyName: "der Name deines Spielers oder deine E-Mail-Adresse",
  password: "Passwort",
  ownPassword: "dein Passwort auf dieser Website",
  troubles: "Wenn es nicht klappt",
  trouble: {
    password:
      "Der Launcher lehnt das Passwort ab: Gemeint ist das dieser Website. Wenn du dich hier über eine andere Seite anmeldest und noch kein Passwort hast, [lege eins fest]. Nach mehreren falschen Versuchen warte eine Minute.",
    character:
      "Der Launcher findet keinen Charakter: Dein Konto hat noch keinen Spieler. [Wähle seinen Namen] auf dieser Website.",
    several:
      "Du hast mehrere Spieler: Mit dem Namen eines Spielers meldest du dich als dieser an; mit der E-Mail-Adresse lässt dich der Launcher wählen.",
    server:
      "Ein Server meldet „Failed to verify username“ oder „Ungültige Sitzung“: Er verwendet die Konten von {community} nicht, oder der Launcher hat das Spiel mit einem anderen Konto gestartet.",
  },
  noScript: "Markiere eine Adresse, um sie zu kopieren: Knöpfe zum Kopieren brauchen JavaScript.",
  launchers: {
    hmcl: {
      name: "HMCL",
      about: "Hello Minecraft! Launcher, für Windows, macOS und Linux",
      steps: [
        { text: "Klicke oben in der Seitenleiste auf das Konto. Die *Kontoliste* öffnet sich." },
        {
          text: "Wähle unten links *Neuer Authentifizierungsserver*, gib die Adresse als *Server-URL* ein und bestätige.",
          shows: ["address"],
        },
        {
          text: "Wähle den neuen Server in der Seitenleiste, gib deine Daten ein und klicke auf *Anmelden*.",
          shows: ["sign-in"],
        },
        { text: "Starte das Spiel mit diesem Konto." },
      ],
      drag: "Oder zieh die Adresse in das Fenster von HMCL: Es öffnet den zweiten Schritt mit der Adresse.",
    },
    pcl: {
      name: "PCL",
      about: "Plain Craft Launcher, für Windows, auf Chinesisch",
      steps: [
        {
          text: "Öffne die Einstellungen einer Version: *版本设置* → *设置* → *服务器*. Wähle als *登录方式* (Art der Anmeldung) *第三方登录：Authlib Injector 或 LittleSkin* und gib die Adresse als *认证服务器* ein. In der Community Edition lege stattdessen ein neues Profil an, *新建档案*, und zwar eins eines Drittanbieters (*第三方验证*), und gib die Adresse als *服务器* ein.",
          shows: ["address"],
        },
        {
          text: "Melde dich auf der Seite an, von der das Spiel startet. Das Feld *邮箱* (E-Mail) nimmt auch den Namen eines Spielers. Klicke auf *登录*.",
          shows: ["sign-in"],
        },
        { text: "Starte das Spiel." },
      ],
      drag: "Oder zieh die Adresse in das Fenster von PCL und antworte *确定*: Das ist der erste Schritt.",
    },
    fjord: {
      name: "Prism Launcher und Fjord Launcher",
      about: "für Windows, macOS und Linux",
      notice:
        "Prism Launcher selbst kennt keine Konten anderer Websites und kann sich hier nicht anmelden. Fjord Launcher ist Prism Launcher mit solchen Konten; dort heißen sie authlib-injector-Konten.",
      steps: [
        { text: "Installiere Fjord Launcher. Öffne oben rechts die Konten und wähle *Manage Accounts…*" },
        {
          text: "Wähle rechts *Add authlib-injector*. Fjord Launcher verlangt zuvor ein Microsoft-Konto, dem Minecraft gehört; wenn du es noch nicht hinzugefügt hast, wähle zuerst *Add Microsoft*.",
        },
        {
          text: "Gib Name, Passwort und in der dritten Zeile die Adresse ein. Klicke auf *OK*.",
          shows: ["sign-in", "address"],
        },
        {
          text: "Starte das Spiel mit diesem Konto. Beim ersten Mal fragt Fjord Launcher nach authlib-injector: Wähle *Install authlib-injector*.",
        },
      ],
    },
    xmcl: {
      name: "XMCL",
      about: "X Minecraft Launcher, für Windows, macOS und Linux",
      steps: [
        { text: "Klicke auf das Symbol deines Kontos und wähle *Ein Konto hinzufügen*." },
        {
          text: "Wähle in der Liste *Autorisierungsdienst* den Eintrag *Weitere Dienste hinzufügen*, gib die Adresse ein und speichere sie.",
          shows: ["address"],
        },
        {
          text: "Wähle den neuen Dienst in der Liste und melde dich an. Das Feld *E-Mail Adresse* nimmt auch den Namen eines Spielers.",
          shows: ["sign-in"],
        },
        { text: "Starte das Spiel mit diesem Konto." },
      ],
    },
    gravit: {
      name: "GravitLauncher",
      about: "der Launcher einer Community, die GravitLauncher verwendet",
      steps: [
        {
          text: "Den Launcher von {community} bekommst du von ihren Betreibern. Er kennt die Adresse schon.",
          shows: ["links"],
        },
        { text: "Fülle *LOGIN* und *PASSWORD* aus und klicke auf *ENTER*.", shows: ["sign-in"] },
        { text: "Wähle einen Server und klicke auf *PLAY*." },
      ],
    },
    own: {
      name: "Ein Launcher oder Paket von {community}",
      about: "falls deine Community eins hat",
      steps: [
        {
          text: "Du bekommst es von den Betreibern von {community}. Es kennt die Adresse schon.",
          shows: ["links"],
        },
        { text: "Starte es und melde dich an.", shows: ["sign-in"] },
      ],
    },
    other: {
      name: "Ein anderer Launcher",
      about: "BakaXL und alle, die authlib-injector kennen",
      steps: [
        {
          text: "Suche bei den Konten nach authlib-injector, Yggdrasil oder einem Authentifizierungsserver eines Drittanbieters und gib dort die Adresse ein.",
          shows: ["address"],
        },
        { text: "Melde dich an.", shows: ["sign-in"] },
      ],
      drag: "Viele dieser Launcher nehmen die Adresse an, wenn du sie in ihr Fenster ziehst.",
    },
  },
};

import type { PlayWords } from "../play.ts";

export const play: PlayWords = {
  heading: "开始游戏",
  intro:
    "选择你的启动器，按步骤设置一次即可。之后你就用 {community} 的账号进入游戏，大家都能看到你的皮肤和披风。",
  versions: "适用于 Minecraft: Java Edition 的所有版本。基岩版不支持其他网站的账号。",
  servers: "游戏服务器也必须使用 {community} 的账号：由服主负责设置。",
  account: "你需要在本站拥有账号和玩家。如果还没有，请先[注册]。",
  contents: "启动器",
  off: "目前没有启动器可以在这里登录。请询问 {community} 的管理人员如何进入游戏。",
  name: "名称",
  anyName: "你的玩家名或邮箱",
  password: "密码",
  ownPassword: "你在本站的密码",
  troubles: "遇到问题时",
  trouble: {
    password:
      "启动器提示密码错误：要填的是本站的密码。如果你一直通过其他网站登录、还没有密码，请[设置一个]。连续输错几次后请等一分钟再试。",
    character: "启动器提示没有角色：你的账号还没有玩家。请在本站[为它取名]。",
    several: "你有多个玩家：填玩家名会直接以该玩家登录；填邮箱则由启动器让你选择。",
    server:
      "服务器提示“Failed to verify username”或“无效会话”：它没有使用 {community} 的账号，或者启动器用了别的账号启动游戏。",
  },
  noScript: "请选中地址来复制：复制按钮需要 JavaScript。",
  launchers: {
    hmcl: {
      name: "HMCL",
      about: "Hello Minecraft! Launcher，支持 Windows、macOS 和 Linux",
      steps: [
        { text: "点击侧边栏顶部的账户，打开*账户列表*。" },
        { text: "点击左下角的*添加认证服务器*，在*服务器地址*中填入下面的地址并确认。", shows: ["address"] },
        { text: "在侧边栏选择刚添加的服务器，填写信息后点击*登录*。", shows: ["sign-in"] },
        { text: "用这个账户启动游戏。" },
      ],
      drag: "也可以把地址直接拖进 HMCL 窗口：它会打开第二步并填好地址。",
    },
    pcl: {
      name: "PCL",
      about: "Plain Craft Launcher，支持 Windows",
      steps: [
        {
          text: "打开*版本设置* → *设置* → *服务器*，把*登录方式*设为*第三方登录：Authlib Injector 或 LittleSkin*，在*认证服务器*中填入下面的地址。社区版（PCL CE）则点击*新建档案*，选择*第三方验证*，在*服务器*中填入地址。",
          shows: ["address"],
        },
        { text: "在启动页面登录。*邮箱*一栏也可以填玩家名。点击*登录*。", shows: ["sign-in"] },
        { text: "启动游戏。" },
      ],
      drag: "也可以把地址直接拖进 PCL 窗口，然后点击*确定*：这样就完成了第一步。",
    },
    fjord: {
      name: "Prism Launcher 与 Fjord Launcher",
      about: "支持 Windows、macOS 和 Linux",
      notice:
        "Prism Launcher 本身不支持其他网站的账号，因此无法在这里登录。Fjord Launcher 是加入了这类账号（authlib-injector 账号）的 Prism Launcher。",
      steps: [
        { text: "安装 Fjord Launcher，点击右上角的账号，选择 *Manage Accounts…*（管理账号）。" },
        {
          text: "在右侧选择 *Add authlib-injector*。Fjord Launcher 要求先有一个已购买 Minecraft 的微软账号；如果还没有添加，请先选择 *Add Microsoft*。",
        },
        { text: "填写名称、密码，并在第三行填入地址，然后点击 *OK*。", shows: ["sign-in", "address"] },
        {
          text: "用这个账号启动游戏。第一次启动时 Fjord Launcher 会询问 authlib-injector：选择 *Install authlib-injector*。",
        },
      ],
    },
    xmcl: {
      name: "XMCL",
      about: "X Minecraft Launcher，支持 Windows、macOS 和 Linux",
      steps: [
        { text: "点击账号图标，选择*添加账号*。" },
        {
          text: "在*验证服务*列表中选择*添加更多验证或玩家信息服务器*，填入下面的地址并保存。",
          shows: ["address"],
        },
        { text: "在列表中选择刚添加的服务并登录。*邮箱地址*一栏也可以填玩家名。", shows: ["sign-in"] },
        { text: "用这个账号启动游戏。" },
      ],
    },
    gravit: {
      name: "GravitLauncher",
      about: "使用 GravitLauncher 的社区提供的启动器",
      steps: [
        { text: "向 {community} 的管理人员获取启动器。其中已经设置好地址。", shows: ["links"] },
        { text: "填写 *LOGIN* 和 *PASSWORD*，点击 *ENTER*。", shows: ["sign-in"] },
        { text: "选择服务器，点击 *PLAY*。" },
      ],
    },
    own: {
      name: "{community} 自己的启动器或整合包",
      about: "如果你的社区提供",
      steps: [
        { text: "向 {community} 的管理人员获取。其中已经设置好地址。", shows: ["links"] },
        { text: "启动它并登录。", shows: ["sign-in"] },
      ],
    },
    other: {
      name: "其他启动器",
      about: "BakaXL 以及所有支持 authlib-injector 的启动器",
      steps: [
        {
          text: "在账号设置中找到“外置登录”“authlib-injector”“Yggdrasil”或“第三方认证服务器”，填入下面的地址。",
          shows: ["address"],
        },
        { text: "登录。", shows: ["sign-in"] },
      ],
      drag: "这类启动器大多也支持把地址直接拖进窗口。",
    },
  },
};

export const account = {
  show: "显示",
  passwordRule: (least: number) => `至少 ${least} 个字符。几个词就能组成好密码。`,
  currentPassword: "当前密码",

  nowCalled: (name: string) => `你现在叫 ${name}。旧名字会为你保留一段时间。`,
  newPlayerName: "新玩家名",
  changeName: "更改名字",
  nameChanged: (name: string) => `你现在叫 ${name}`,

  passwordHelp: "你的其他会话都会结束。",
  changePassword: "更改密码",
  passwordChanged: "密码已更改",
  noPassword: (name: string) =>
    `你通过其他网站登录，名字 ${name} 也来自那里。请选择一次名字和密码：之后你也可以在这里和启动器中登录。`,
  chooseBoth: "选择名字和密码",

  mailNow: (mail: string) => `你的邮箱是 ${mail}。新邮箱会先收到验证码。`,
  mailUnconfirmed: (mail: string) => `你的邮箱 ${mail} 还没有确认。验证码会发往它或新邮箱。`,
  mailNone: "你的账号还没有邮箱。新邮箱会先收到验证码。",
  newMail: "新邮箱",
  codeOnItsWay: (mail: string) => `验证码正在发往 ${mail}`,
  confirmMailHeading: "确认你的新邮箱",
  confirmMailHelp: "输入发送到新邮箱的验证码。你的其他会话都会结束。",
  mailChanged: "邮箱已更改",

  connections: "关联账号",
  connectedAs: (name: string) => `你已关联 ${name}，可以用它登录。`,
  connectHelp: "关联其他网站的账号后，无需密码即可登录。",
  connect: (provider: string) => `关联 ${provider}`,
  disconnect: "取消关联",
  disconnected: "已取消关联",

  players: "玩家",
  playersHelp: (most: number) =>
    most === 1 ? "你的账号可以有 1 个玩家。" : `你的账号可以有 ${most} 个玩家，共用皮肤、披风和密码。`,
  mainPlayer: "主玩家",
  newPlayer: "新玩家",
  name: "名字",
  addPlayer: "添加玩家",
  newPlayerHelp: "你的另一个角色，有自己的外观。",
  renameHelp: "游戏会在下次登录时显示新名字。旧名字会为你保留一段时间。",
  playerAdded: (name: string) => `已添加 ${name}`,
  playerRenamed: (before: string, after: string) => `${before} 现在叫 ${after}`,
  deletePlayerHelp: "该玩家会永久离开游戏。名字会为你保留一段时间，皮肤和披风不受影响。",

  sessions: "会话",
  sessionsHelp: "你在本网站和启动器中的登录。",
  thisDevice: "本设备",
  web: "网站",
  game: "游戏",
  unknownProgram: "未知程序",
  usedAgo: (ago: string) => `上次使用：${ago}`,
  endSession: "结束会话",
  endSessionOf: (program: string) => `结束会话 ${program}`,
  sessionEnded: "会话已结束",

  aliases: "用于登录的旧名字",
  aliasesHelp: "它们来自你以前玩的服务器。你可以用它们登录，其他人看不到。",
  aliasSince: (day: string) => `自 ${day} 起可用`,
  aliasRemoved: (name: string) => `${name} 不能再用于登录`,

  export: "导出",
  exportHelp:
    "一个 Zip 压缩包，包含这里保存的与你有关的全部数据：资料、玩家、皮肤、披风、会话、邮件和管理人员的操作。每天可下载三次。",
  freshSignIn: "登录后 15 分钟内可以下载。",
  download: "下载我的数据",
  downloaded: "你的数据已下载",

  deleteAccount: "删除账号",
  deleteAccountHelp: "你的玩家、皮肤和披风会一起删除，你的所有会话会立即结束。",
  deleteDays: (days: number) =>
    days === 0 ? "账号会立即删除，无法恢复。" : `${days} 天之内你仍可以登录并保留账号。`,
  deleteNeedsPassword: "删除需要密码，而你的账号还没有密码。请先设置一个。",
  accountLeavesOn: (moment: string) => `你的账号将于 ${moment} 删除。在此之前登录即可保留。`,
  accountGone: "你的账号已删除",
};

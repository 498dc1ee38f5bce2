export const setup = {
  heading: "初始设置",
  welcome: "你正在创建这个服务器的第一位管理员。此页面的链接只能使用一次。",
  create: "创建管理员",
  created: (name: string) => `欢迎，${name}。服务器现在由你管理。`,
  noLink: "请打开服务器启动时在终端显示的链接。# 后面的内容也是链接的一部分。",
  isDone: "这个服务器已经有管理员，这里没有要做的事了。",

  next: "接下来做什么",
  nextHelp: "设置写在环境变量中，或写在 --config 指定的文件里，重启后生效。这里的值只是示例。",
  done: "已完成",
  open: "待完成",
  unknown: "请自行查看",
  setting: "设置项",
  settings: "设置项",
  command: "命令",
  steps: {
    mail: {
      title: "发送邮件",
      text: "注册和新密码的验证码通过邮件发送。没有邮件服务器时，每封邮件都会成为数据文件夹中的一个文件。",
    },
    address: {
      title: "设置公开地址",
      text: "启动器、游戏和邮件里的链接都使用玩家能访问的地址。",
    },
    tls: {
      title: "启用 https",
      text: "密码在传输中需要它。Caddy 等代理会自动获取证书；没有代理时，服务器可以使用你自己的证书。",
    },
    backups: {
      title: "安排备份",
      text: "备份包含账号、皮肤和密钥。请在另一台机器上保留一份。",
    },
    community: {
      title: "介绍你的社区",
      text: "首页和邮件中的名称、文字、链接、徽标和颜色。",
    },
  },
  check: "全面检查",
  checkText: "这条命令会检查设置、文件夹、邮件、公开地址和备份，并说明如何修正问题。",
  toOverview: "打开概览",
};

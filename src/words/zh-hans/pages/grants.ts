export const grants = {
  action: "操作",
  give: "授予",
  take: "收回",
  giveThing: (name: string) => `授予 ${name}`,
  takeThing: (name: string) => `收回 ${name}`,
  takeFrom: (name: string) => `收回：${name}`,
  who: "对象",
  people: "指定的人",
  everybody: "所有人",
  ownersOf: "另一件披风的所有者",
  otherCape: "另一件披风",
  chooseFirst: "请先选择人员",
  chooseCape: "请先选择另一件披风",
  endHelp: "留空：永久。已拥有此披风的人，期限不变。",
  giveEverybody: (count: number) =>
    `现在有账号但没有此披风的人都会获得它：${count} 人。以后注册的人不会获得。`,
  giveOwners: (count: number, other: string) =>
    `拥有“${other}”但没有此披风的人会获得它：最多 ${count} 人。以后获得“${other}”的人不会获得。`,
  takeEverybody: (count: number) =>
    `所有所有者都会失去此披风：${count} 人。披风会从他们的皮肤上移除，且无法恢复。`,
  takeOwners: (count: number, other: string) =>
    `拥有“${other}”的人会失去此披风：最多 ${count} 人。披风会从他们的皮肤上移除，且无法恢复。`,
  stepByStep: "此窗口打开期间会持续进行。如果中断，请再做一次：已完成的部分会保留。",
  soFar: (count: number) => `已完成：${count} 人`,
  given: (count: number) => `已授予 ${count} 人`,
  taken: (count: number) => `已从 ${count} 人处收回`,

  roleOf: (name: string, level: string) => `设置 ${name} 的角色：${level}`,
  makesAdministrator: (name: string) =>
    `${name} 将可以更改这里的一切：用户及其角色（包括你的）、披风、群发邮件和令牌。`,
  makesModerator: (name: string) => `${name} 将看到所有用户及其邮箱地址和审计记录，并可更改和删除皮肤。`,
  losesAdministration:
    "这是你自己的角色。之后你可以查看用户、披风和审计记录并管理皮肤，但不能更改用户、角色、披风和邮件。只有其他管理员能把它还给你。",
  losesStaff: "这是你自己的角色。之后你将无法打开任何管理页面。只有其他管理员能把它还给你。",
  roleUntil: (end: string, level: string) => `至 ${end}，之后：${level}。`,
};

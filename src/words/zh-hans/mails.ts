import type { Origin } from "../../domain/model/mail.ts";
import { say } from "./say.ts";
import type { Templates } from "../../domain/mail/templates.ts";

const codeLasts = "验证码 30 分钟内有效，只能使用一次。";
const codeIsYours = (site: string) => say`请不要把验证码告诉任何人，${site}的管理人员绝不会向你索要。`;

const askedFor = ({ time, network }: Origin) => say`这个请求于${time}从网络${network}发出。`;
const nothingToDo = "如果不是你本人操作，不用理会：";

/** The mails in Simplified Chinese. They say 你, as game communities do. */
export const mails: Templates = {
  letters: {
    confirm: ({ site, time, network }) => ({
      subject: say`确认你在${site}的邮箱`,
      preheader: say`还差一步，就能使用你在${site}的账号了。`,
      heading: "确认你的邮箱",
      paragraphs: [say`欢迎！这个邮箱刚在${site}注册了账号。请输入下面的验证码，确认邮箱是你的：`],
      button: "确认邮箱",
      closing: [
        say`账号于${time}从网络${network}注册。有效的是你输入验证码之后设置的密码，或与验证码一起输入的密码。如果还有别人用你的邮箱注册，对方的密码不会生效。`,
        codeLasts,
        say`如果不是你注册的，不用理会：没有验证码，谁也用不了这个账号。${codeIsYours(site)}`,
      ],
    }),
    "already-registered": ({ site, username, ...origin }) => ({
      subject: say`你在${site}已经有账号了`,
      preheader: "有人想用你的邮箱注册。",
      heading: "你已经有账号了",
      paragraphs: [
        say`有人（可能是你）想用这个邮箱在${site}注册。它已属于账号${username}，所以没有创建新账号。`,
        "像往常一样登录就行。如果忘了密码，可以设置新密码：",
      ],
      button: "设置新密码",
      closing: [askedFor(origin), say`${nothingToDo}你的账号没有任何变化。`],
    }),
    "address-taken": ({ site, username, ...origin }) => ({
      subject: say`你在${site}的邮箱仍归你使用`,
      preheader: "有人想把你的邮箱用于另一个账号。",
      heading: "你的邮箱仍归你使用",
      paragraphs: [
        say`有人（可能是你）想把这个邮箱用于${site}的另一个账号。它已属于账号${username}，所以没有做任何更改。`,
        say`如果你想把它用于那个账号，请先给${username}换一个邮箱。`,
      ],
      button: null,
      closing: [askedFor(origin), say`${nothingToDo}你的账号没有任何变化。`],
    }),
    "unknown-address": ({ site, ...origin }) => ({
      subject: say`${site}没有使用这个邮箱的账号`,
      preheader: "有人想重置密码，但没有这样的账号。",
      heading: "没有使用这个邮箱的账号",
      paragraphs: [
        say`有人（可能是你）想在${site}设置新密码，但那里没有使用这个邮箱的账号。`,
        "也许你注册时用的是另一个邮箱，请用那个邮箱再试一次。",
      ],
      button: null,
      closing: [askedFor(origin), say`${nothingToDo}没有账号会受到影响。`],
    }),
    reset: ({ site, username, ...origin }) => ({
      subject: say`设置你在${site}的新密码`,
      preheader: say`这是账号${username}的验证码。`,
      heading: "设置新密码",
      paragraphs: [say`有人（可能是你）想为${site}的账号${username}设置新密码。请输入下面的验证码继续：`],
      button: "设置新密码",
      closing: [askedFor(origin), codeLasts, say`${nothingToDo}你的密码不会改变。${codeIsYours(site)}`],
    }),
    claim: ({ site, username, ...origin }) => ({
      subject: say`确认你在${site}的邮箱`,
      preheader: say`账号${username}认领时填写了这个邮箱。`,
      heading: "确认你的邮箱",
      paragraphs: [
        say`欢迎回来！有人（可能是你）用这个邮箱认领了${site}的账号${username}。请输入下面的验证码，确认邮箱是你的：`,
      ],
      button: "确认邮箱",
      closing: [
        askedFor(origin),
        codeLasts,
        say`${nothingToDo}没有验证码，邮箱就不会得到确认。${codeIsYours(site)}`,
      ],
    }),
    "change-mail": ({ site, username, ...origin }) => ({
      subject: say`确认你在${site}的新邮箱`,
      preheader: say`账号${username}要改用这个邮箱。`,
      heading: "确认你的新邮箱",
      paragraphs: [say`${site}的账号${username}要改用这个邮箱。请输入下面的验证码确认：`],
      button: "确认新邮箱",
      closing: [
        askedFor(origin),
        codeLasts,
        say`如果你不知道这件事，不用理会：没有验证码，邮箱不会更改。${codeIsYours(site)}`,
      ],
    }),
    "mail-changed": ({ site, username, newMail }) => ({
      subject: say`你在${site}的邮箱已更改`,
      preheader: say`账号${username}改用了另一个邮箱。`,
      heading: "你的邮箱已更改",
      paragraphs: [
        say`${site}的账号${username}现在使用邮箱${newMail}，原来的邮箱不会再收到它的邮件。其他设备都已退出登录。`,
      ],
      button: null,
      closing: [say`如果不是你本人操作，请马上联系${site}的管理人员：有人进入了你的账号。`],
    }),
    "password-changed": ({ site, username }) => ({
      subject: say`你在${site}的密码已更改`,
      preheader: say`账号${username}有了新密码。`,
      heading: "你的密码已更改",
      paragraphs: [say`${site}的账号${username}有了新密码。其他设备都已退出登录。`],
      button: null,
      closing: [say`如果不是你本人操作，请马上在${site}重新设置密码，并联系管理人员：有人进入了你的账号。`],
    }),
    "skin-removed": ({ site, username, skin, reason }) => ({
      subject: say`你在${site}的一个皮肤被移除了`,
      preheader: say`它原来在${username}的衣柜里。`,
      heading: "你的皮肤被移除了",
      paragraphs: [
        say`${site}的管理人员从${username}的衣柜里移除了皮肤“${skin}”。如果你正穿着它，现在会显示默认皮肤。原因是：`,
        reason,
      ],
      button: null,
      closing: [say`如果你没见过这个皮肤，请在${site}设置新密码：可能有人进入了你的账号。`],
    }),
    leaving: ({ site, username, time }) => ({
      subject: say`你在${site}的账号将被删除`,
      preheader: say`在${time}之前，你可以保留账号${username}。`,
      heading: "你的账号将被删除",
      paragraphs: [
        say`你要求删除${site}的账号${username}。它将在${time}连同玩家、皮肤和披风一起删除。所有设备都已退出登录。`,
        "如果你改变主意，请在此之前登录并选择“保留账号”：",
      ],
      button: "登录并保留",
      closing: ["如果不是你本人操作，请登录，保留账号并更改密码：有别人知道了你的密码。"],
    }),
    suspended: ({ site, username, end, reason }) => ({
      subject: say`你在${site}的账号已被停用`,
      preheader: say`现在无法登录账号${username}。`,
      heading: "你的账号已被停用",
      paragraphs: [
        end === ""
          ? say`${site}的管理人员停用了账号${username}。`
          : say`${site}的管理人员停用了账号${username}，直到 ${end}。`,
        "恢复之前，网站和游戏都无法登录这个账号。所有设备都已退出登录。你的玩家、皮肤和披风保持不变。",
        ...(reason === "" ? [] : ["原因是：", reason]),
      ],
      button: null,
      closing: [say`如果你不知道原因，或认为这是误会，请联系${site}的管理人员：可能有人进入过你的账号。`],
    }),
    test: ({ site }) => ({
      subject: say`${site}的测试邮件`,
      preheader: "能看到这句话，说明邮件可以送达。",
      heading: "邮件可以送达",
      paragraphs: [say`这是${site}的测试邮件。你能看到它，说明邮件设置没有问题。`],
      button: null,
      closing: [say`它由${site}的管理人员发出，用来检查邮件设置。如果你不清楚是怎么回事，不用理会。`],
    }),
    bulk: ({ site, username, subject, message }) => ({
      subject,
      preheader: message,
      heading: subject,
      paragraphs: [message],
      button: null,
      closing: [
        say`你收到这封邮件，是因为${site}的账号${username}使用这个邮箱。如果不想再收到这类邮件，请点击末尾的链接；验证码和账号通知仍会发给你。`,
      ],
    }),
  },
  frame: ({ site }) => ({
    openLink: "或者打开这个链接：",
    footer: say`这封邮件由${site}自动发送，请不要回复。`,
    play: "开始游戏：启动器设置方法",
    unsubscribe: "不再接收这类邮件",
  }),
  colon: "：",
};

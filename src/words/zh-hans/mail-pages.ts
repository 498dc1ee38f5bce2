import type { MailPageWords } from "../mail-pages.ts";
import { say } from "./say.ts";

export const mailPages: MailPageWords = {
  subscribed: ({ address, site }) => ({
    title: "不再接收这类邮件？",
    text: say`${site}的管理人员有时会给所有注册用户写信。邮箱为${address}的账号会收到这些邮件。`,
    button: "退订",
    note: "验证码和账号通知不受影响，仍会照常发送。",
  }),
  resubscribed: ({ address, site }) => ({
    title: "已重新订阅",
    text: say`邮箱为${address}的账号会收到${site}发给所有人的邮件。`,
    button: "退订",
    note: null,
  }),
  unsubscribed: ({ address, site }) => ({
    title: "已退订",
    text: say`邮箱为${address}的账号不会再收到${site}发给所有人的邮件。`,
    button: "重新订阅",
    note: "验证码和账号通知不受影响，仍会照常发送。",
  }),
  unknown: {
    title: "这个链接无效",
    text: "它不属于任何账号。可能是链接不完整，或者账号已被删除。",
    note: null,
  },
  limited: (later) => ({ title: "操作没有成功", text: "现在的请求太多了。", note: `请在${later}再试。` }),
  failed: (requestId) => ({
    title: "操作没有成功",
    text: "服务器没能完成这个操作，请稍后再试。",
    note: requestId && say`如果问题再次出现，请把这个编号告诉管理人员：${requestId}`,
  }),
};

import type { Words } from "../../en/pages.ts";

export const address: Words["address"] = {
  isElsewhere: (address) => `本服务器的地址是 ${address}。请在那里登录：浏览器只为一个地址保存登录状态。`,
  open: (address) => `打开 ${address}`,
  moved: "你来自本服务器的旧地址。请重新登录：浏览器只为一个地址保存登录状态。",
  hasHttps: "本服务器现已启用 https。请重新登录：之前的登录不够安全，无法保留。",
};

import { describe, expect, test } from "bun:test";
import { networkReason } from "../../src/kernel/network-reasons.ts";

const said = (message: string, code: string) => networkReason(Object.assign(new Error(message), { code }));
const noNameServer = "no name server answers, so its address is not known now";

/** As Bun's fetch, sockets and S3 client and nodemailer say it. */
describe("describes a network error in words", () => {
  test.each([
    ["getaddrinfo EAI_AGAIN mail.example.org", "EDNS", `${noNameServer} (EAI_AGAIN)`],
    ["getaddrinfo EAI_AGAIN skins.example.org", "EAI_AGAIN", `${noNameServer} (EAI_AGAIN)`],
    ["getaddrinfo ENOTFOUND a.invalid", "ENOTFOUND", "no address is known for its name (ENOTFOUND)"],
    ["connect ECONNREFUSED 127.0.0.1:1", "ESOCKET", "nothing listens there (ECONNREFUSED)"],
    [
      "ECONNREFUSED: Unable to connect. Is the computer able to access the url?",
      "ECONNREFUSED",
      "nothing listens there (ECONNREFUSED)",
    ],
    [
      "an unexpected error has occurred",
      "DNSResolveFailed",
      "no address is known for its name, or no name server answers (DNSResolveFailed)",
    ],
    ["an unexpected error has occurred", "ConnectionRefused", "nothing listens there (ConnectionRefused)"],
    ["read ECONNRESET", "ECONNRESET", "the connection was interrupted (ECONNRESET)"],
  ])("%s", (message, code, words) => expect(said(message, code)).toBe(words));

  test.each([
    ["Greeting never received", "ETIMEDOUT"],
    ["Invalid login: 535 no", "EAUTH"],
    ["ENOENT: no such file or directory", "ENOENT"],
    ["an unexpected error has occurred", "NoSuchBucket"],
    ["EXAMPLE is no code of ours", "ECONNRESET"],
  ])("but not %s (%s), which says more or something else", (message, code) => {
    expect(said(message, code)).toBeNull();
  });

  test("but not what is no error at all", () => expect(networkReason("ECONNREFUSED")).toBeNull());
});

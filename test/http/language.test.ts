import { describe, expect, test } from "bun:test";
import { languageOf } from "../../src/http/negotiation.ts";

function languageFor(header: string | null): string {
  return languageOf(
    new Request("http://localhost/", { headers: header === null ? {} : { "accept-language": header } }),
  );
}

describe("a request is answered in English", () => {
  test.each([
    ["without the header", null],
    ["with an empty one", ""],
    ["for en", "en"],
    ["for a region of it", "en-GB"],
    ["for a language that is not ours", "fr"],
    ["for any language", "*"],
    ["for several that are not ours", "uk,be;q=0.9,pl;q=0.8"],
    ["when it comes first", "en,ru"],
    ["when it weighs more", "ru;q=0.7,en;q=0.8"],
    ["when both weigh the same and it comes first", "en;q=0.5,ru;q=0.5"],
    ["when Russian weighs nothing", "ru;q=0"],
    ["when Russian weighs nothing, in three digits", "ru;q=0.000, *;q=0.1"],
    ["when Russian's weight is none", "ru;q=high,en;q=0.1"],
    ["when Russian's weight is above 1", "ru;q=7,en;q=0.1"],
    ["when a language only begins like Russian", "rue,run;q=0.9"],
    ["when Russian comes after more ranges than browsers send", `${"fr,".repeat(32)}ru`],
    ["for Chinese of regions with the other script", "zh-TW, zh-HK;q=0.9, zh-MO;q=0.8, en;q=0.1"],
    ["for the other script of Chinese, whatever the region", "zh-Hant-SG,zh-Hant;q=0.9"],
    ["for nonsense", ";;;,,,=q;q=;ru"],
  ])("%s", (_, header) => expect(languageFor(header)).toBe("en"));
});

describe("a request is answered in Russian", () => {
  test.each([
    ["for ru", "ru"],
    ["for a region of it", "ru-RU"],
    ["for a script of it", "ru-Cyrl-RU"],
    ["in capitals", "RU-ru"],
    ["as a browser sends it", "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7"],
    ["when it weighs more", "en;q=0.7,ru;q=0.8"],
    ["after a language that is not ours", "fr, ru;q=0.5"],
    ["between blanks", " en ; q=0.1 , ru ; q=0.2 "],
    ["when both weigh the same and it comes first", "ru;q=0.5,en;q=0.5"],
    ["when one of its regions weighs more", "en;q=0.8,ru;q=0.1,ru-RU;q=0.9"],
    ["when English weighs nothing", "en;q=0,*"],
    ["when the rest weighs less", "*;q=0.1,ru;q=0.2"],
    ["beside other parameters", "en;q=0.3,ru;x=1;q=0.4"],
  ])("%s", (_, header) => expect(languageFor(header)).toBe("ru"));
});

describe("a request is answered in German", () => {
  test.each([
    ["for de", "de"],
    ["for Austria's", "de-AT"],
    ["as a Swiss browser sends it", "de-CH,de;q=0.9,en;q=0.8,fr;q=0.7"],
    ["when it weighs most", "en;q=0.2,de;q=0.7,ru;q=0.5"],
    ["when the others weigh nothing", "en;q=0,ru;q=0,zh;q=0,*;q=0.4"],
  ])("%s", (_, header) => expect(languageFor(header)).toBe("de"));
});

describe("a request is answered in Simplified Chinese", () => {
  test.each([
    ["for zh", "zh"],
    ["for China's", "zh-CN"],
    ["for Singapore's", "zh-SG"],
    ["for its script", "zh-Hans"],
    ["for its script in a region of the other one", "zh-Hans-HK"],
    ["in any case", "ZH-hans-cn"],
    ["as a browser sends it", "zh-CN,zh;q=0.9,en;q=0.8"],
    ["when the reader takes it after the other script", "zh-TW,zh;q=0.9,en;q=0.8"],
    ["after a language that is not ours", "ja,zh-CN;q=0.5"],
  ])("%s", (_, header) => expect(languageFor(header)).toBe("zh-Hans"));
});

/** What a search finds is what the text is part of, however the store looks for it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { foldForSearch } from "../../src/domain/model/search-fold.ts";
import { newUuid } from "../../src/kernel/ids.ts";
import type { OpenStores } from "./stores.suite.ts";

/** Some sequences are in every row, some in every tenth, some in one. */
const texts = Array.from({ length: 600 }, (_, number) => {
  const syllables = ["ka", "lo", "mi", "nu", "re"];
  const name = [1, 5, 25, 125].map((unit) => syllables[Math.floor(number / unit) % 5]).join("");
  return { name: `${name}_${number}`, mail: `${number % 10 === 0 ? "Team." : ""}${name}@example.org` };
});
texts.push(
  { name: "Kelvin", mail: "Ünal.Straße@example.org" },
  { name: "am.kalo", mail: 'a"b@example.org' },
  { name: "ΟΔΥΣΣΕΥΣ", mail: "100%@example.org" },
  { name: "Işık.İnci", mail: "back\\slash@example.org" },
  { name: "皮肤的主人", mail: "under_score@example.org" },
  { name: "🦊🦊🦊🐺", mail: "fox@example.org" },
  { name: "小明", mail: "two@example.org" },
  { name: "ひかりのスキン", mail: "kana@example.org" },
  { name: "민수의집", mail: "hangul@example.org" },
  { name: "𠮷野家", mail: "astral@example.org" },
);

const searches = [
  "example.org",
  "@EXAMPLE.org",
  "Team.kalo",
  "team.kalomire@example.org",
  "kalomire",
  "KaLoMiRe_",
  "kakakaka_0",
  "nunununu@example.org",
  "reka@exam",
  "kalolokare@example",
  "am.kaloka",
  "kelvin",
  "kelvinun",
  "ünal.straße",
  "ÜNAL.STRA",
  'a"b@example.org',
  "a%b@example.org",
  "a_b@example.org",
  "100%@",
  "00%",
  "%@e",
  "___",
  "r_s",
  "k\\s",
  "\\slash",
  "\\",
  "kalo_kalo_kalo",
  "kalo AND lomi",
  "example.org.example.org",
  "οδυσσευς",
  "ισσευ",
  "ΔΥΣ",
  "ışık",
  "IŞIK",
  "inci",
  "İnci",
  "皮肤的",
  "的主人",
  "肤主人",
  "🦊🦊🐺",
  "🦊🐺🐺",
  "皮肤",
  "主人",
  "肤主",
  "小明",
  "明小",
  "かり",
  "スキ",
  "민수",
  "𠮷野",
  "野家",
  "人",
  "🦊🐺",
  "ka",
  "の@",
  "x".repeat(254),
];

export function searchSuite(name: string, open: () => Promise<OpenStores>): void {
  describe(`${name}: a search for a user`, () => {
    let opened: OpenStores;
    beforeAll(async () => {
      opened = await open();
      await opened.atomically(async ({ accounts, players }) => {
        for (const { name, mail } of texts) {
          const uuid = newUuid();
          const fixed = {
            registration: "complete",
            mailVerified: true,
            passwordHash: "x",
            permanentLevel: 1,
          } as const;
          const { id } = await accounts.insertAccount({ uuid, mail, ...fixed, language: "en", createdAt: 1 });
          await players.insertPlayer({ uuid, accountId: id, name, createdAt: 1 });
        }
      });
    });
    afterAll(() => opened[Symbol.asyncDispose]());

    test.each(searches)("%s", async (search) => {
      const { accounts } = opened.reads;
      const isPart = (text: string) => foldForSearch(text).includes(foldForSearch(search));
      const isWord = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u.test(
        search,
      );
      const isLong = Array.from(search).length >= (isWord ? 2 : 3);
      const expected = texts
        .filter(({ name, mail }) => isLong && (isPart(name) || isPart(mail)))
        .map(({ mail }) => mail);
      const find = async (after: number | null, rows: number, isNewestFirst = false) =>
        (await accounts.listMembers({ after, rows, search, isNewestFirst })).map(({ account }) => account);
      const found = await find(null, 1000);
      expect(found.map(({ mail }) => String(mail))).toEqual(expected);
      expect(await accounts.countMembers(search)).toBe(expected.length);
      const ids = found.map(({ id }) => Number(id));
      const middle = (ids.at(-1) ?? 0) / 2;
      const idsOf = (members: Awaited<ReturnType<typeof find>>) => members.map(({ id }) => Number(id));
      expect(idsOf(await find(middle, 5))).toEqual(ids.filter((id) => id > middle).slice(0, 5));
      const before = ids.filter((id) => id < middle).toReversed();
      expect(idsOf(await find(middle, 5, true))).toEqual(before.slice(0, 5));
      expect(idsOf(await find(null, 3, true))).toEqual(ids.toReversed().slice(0, 3));
    });
  });
}

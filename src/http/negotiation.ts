import { languages, type Language } from "../domain/model/mail.ts";

/** What a request's headers say of the answer that the client wants or has. */

/**
 * The longest header of that kind that is read: browsers send some 150 characters, and every part of one
 * costs time at every answer. Tags are longer than the names of codings and languages, and caches may have
 * several.
 */
const choiceLengthMax = 256;
const conditionLengthMax = 1024;

/**
 * A header by which a client chooses between answers; null where it is missing, and where it is too long to
 * be a browser's.
 */
function choiceOf(
  { headers }: Request,
  name: "accept" | "accept-encoding" | "accept-language" | "if-none-match",
): string | null {
  const value = headers.get(name);
  const lengthMax = name === "if-none-match" ? conditionLengthMax : choiceLengthMax;
  return value === null || value.length > lengthMax ? null : value;
}

/**
 * True when the client has the entity already: `If-None-Match`, compared weakly (RFC 9110 13.1.2). `etag` is
 * in quotes.
 */
export function etagMatches(request: Request, etag: string): boolean {
  const condition = choiceOf(request, "if-none-match");
  if (condition === null) return false;
  if (condition === etag || condition === "*") return true;
  return condition.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

/** Whether the client takes a content coding (RFC 9110 12.5.3). A weight of 0 is a no. */
export function takesCoding(request: Request, coding: string): boolean {
  const header = choiceOf(request, "accept-encoding");
  if (header === null) return false;
  return header
    .toLowerCase()
    .split(",")
    .some((one) => {
      const [name = "", ...parameters] = one.split(";").map((part) => part.trim());
      return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    });
}

/** Content codings of files that are compressed once, the better one first. */
export const storedCodings = ["zstd", "gzip"] as const;
export type StoredCoding = (typeof storedCodings)[number];

/** What an answer depends on beside its address. There is one object for each pair. */
export type Variant = { readonly language: Language; readonly coding: StoredCoding | null };

const variants: readonly Variant[] = languages.flatMap((language) =>
  [...storedCodings, null].map((coding) => ({ language, coding })),
);

/** More pairs of headers than browsers send to one server: more would be an attempt to fill the memory. */
const pairsMax = 512;
let pairs = 0;
const variantsByHeaders = new Map<string | null, Map<string | null, Variant>>();

/**
 * The language and the coding that a request prefers. Pairs of headers are read once: that would be a tenth
 * of a page's answer. A map in a map takes a third of the time that one key made of both does.
 */
export function variantOf(request: Request): Variant {
  const accepted = choiceOf(request, "accept-encoding");
  const spoken = choiceOf(request, "accept-language");
  return variantsByHeaders.get(spoken)?.get(accepted) ?? readVariant(request, spoken, accepted);
}

function readVariant(request: Request, spoken: string | null, accepted: string | null): Variant {
  const coding = storedCodings.find((one) => takesCoding(request, one)) ?? null;
  const language = languageOf(request);
  const variant = variants.find((one) => one.language === language && one.coding === coding);
  if (variant === undefined) throw new Error(`There is no variant ${language} ${coding}`);
  if (pairs >= pairsMax) {
    variantsByHeaders.clear();
    pairs = 0;
  }
  const ofLanguage = variantsByHeaders.get(spoken) ?? new Map<string | null, Variant>();
  variantsByHeaders.set(spoken, ofLanguage.set(accepted, variant));
  pairs += 1;
  return variant;
}

/** Whether a person opens the address in a browser: then a page answers, where there is one. */
export function isNavigation(request: Request): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const destination = request.headers.get("sec-fetch-dest");
  if (destination !== null) return destination === "document";
  // Browsers send no destination to plain http under a name (Fetch Metadata Request Headers 2).
  return choiceOf(request, "accept")?.toLowerCase().includes("text/html") === true;
}

/** More ranges than any browser sends. */
const rangesMax = 32;

/**
 * The language of ours that a request prefers (`Accept-Language`, RFC 9110 12.5.4); English when it names
 * none.
 */
export function languageOf(request: Request): Language {
  const header = choiceOf(request, "accept-language") ?? "";
  const ranges = header.split(",", rangesMax).map(parseRange);
  const wanted = languages.map((language) => ({ language, ...qualityOf(language, ranges) }));
  const [best] = wanted
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || a.at - b.at);
  return best?.language ?? "en";
}

type Range = { readonly language: Language | "*" | null; readonly quality: number };

/** `ru-RU;q=0.8` → `ru`, 0.8. A weight that cannot be read makes a range worth nothing. */
function parseRange(text: string): Range {
  const [tag = "", ...parameters] = text.toLowerCase().split(";");
  const weight = parameters.map((one) => /^\s*q\s*=\s*(.*)$/.exec(one)?.[1]?.trim()).find(Boolean) ?? "1";
  const quality = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
  return { language: ownLanguage(tag.trim()), quality };
}

/**
 * The language of ours that a tag in lower case means (RFC 5646), whatever its region. One of ours that names
 * its script is meant by tags of this script alone: those of Chinese without a script name it by their
 * region.
 */
function ownLanguage(tag: string): Language | "*" | null {
  const [language = "", ...subtags] = tag.split("-");
  if (language === "*") return "*";
  const chinese = subtags.some((region) => traditionalRegions.has(region)) ? "hant" : "hans";
  const script = subtags.find((subtag) => subtag.length === 4) ?? chinese;
  const isMeant = (own: string) => own === language || own === `${language}-${script}`;
  return languages.find((one) => isMeant(one.toLowerCase())) ?? null;
}

/** Regions whose Chinese has the traditional script. */
const traditionalRegions: ReadonlySet<string> = new Set(["tw", "hk", "mo"]);

/** The weight of a language and its position; `*` stands for every language that is not named. */
function qualityOf(language: Language, ranges: readonly Range[]): { quality: number; at: number } {
  const named = ranges.filter((range) => range.language === language);
  const fitting = named.length > 0 ? named : ranges.filter((range) => range.language === "*");
  const quality = Math.max(0, ...fitting.map((range) => range.quality));
  return { quality, at: ranges.findIndex((range) => fitting.includes(range) && range.quality === quality) };
}

/* The classic default: an usher with a burgundy waistcoat, brass buttons and rolled sleeves. */
import type { Bitmap } from "../../src/render/bitmap.ts";
import { CLASSIC, drawSkin, legendOf, type BoxArt } from "./sheet.ts";

const LEGEND = legendOf({
  "123456": ["#4a2526", "#68382f", "#854c38", "#a06243", "#b97b52", "#cf9767"], // skin
  abcde: ["#16121f", "#211a2b", "#30263a", "#44364b", "#5d4a5f"], // hair
  pqrst: ["#84717f", "#b09c9d", "#d3c0b4", "#ecdfcd", "#fbf5e8"], // shirt
  ABCDEF: ["#2b0b1c", "#431225", "#5f1a2f", "#7d2639", "#9b3846", "#b85456"], // waistcoat
  xyzZ: ["#6d3f17", "#a8711f", "#dfab3a", "#fce391"], // brass
  GHIJK: ["#12131f", "#1b1e2e", "#272b3f", "#363b53", "#495069"], // trousers
  LMNOP: ["#170e12", "#2a181a", "#432624", "#5f3830", "#82533f"], // leather
  fgh: ["#10142b", "#232b52", "#3f4a7d"], // bow tie
  wWki: ["#f7f1e6", "#cdbfb8", "#3a1a12", "#b5651d"], // eyes
  uU: ["#6f2f30", "#8f4a40"], // lips
});

const head: BoxArt = {
  top: ["bccccccb", "ccddcddc", "cddccdcc", "ccdcddcc", "ccccddcc", "cddccddc", "ccddcccc", "bccddccb"],
  bottom: ["23333332", "23333332", "33333333", "33333333", "33333333", "33444433", "34444443", "34444443"],
  sides: [
    "bccdccdc|cddccddc|cdccdccb|bccdccdb",
    "bbccdccc|cccddccc|cccdccbb|bbccdcbb",
    "abbccccb|b455654b|bccccbba|abbccbba",
    "abbbbbb4|4b3553b4|4bbbbbba|aabbbbaa",
    "aabb45b4|3Wk55kW3|4b54bbaa|aaabbaaa",
    "aabb34b4|4wi65iw4|4b43bbaa|aaaaaaaa",
    "1aab3344|344UU443|4433baa1|1aaaaaa1",
    "11223344|23444432|44332211|11222211",
  ],
};

const hat: BoxArt = {
  top: ["cddccddc", "deedcdee", "dedccded", "cdccdeed", "ccdeedcc", "cdeedccd", "ddedccde", "cddccdee"],
  sides: [
    "cddccded|ddeeddcd|deedccdc|cddccddc",
    "bcdedccd|dccdeedc|dccdeedb|bcdeedcb",
    "bc.cbdcd|cd...dcc|dcdbc.cb|bccdccdb",
    ".b..c.bc|........|cb.c..b.|.bc.bcb.",
    "........|........|........|..b..b..",
    "........|........|........|........",
    "........|........|........|........",
    "........|........|........|........",
  ],
};

const torso: BoxArt = {
  top: ["CDDrrDDC", "CDs33sDC", "CDs44sDC", "CDt44tDC"],
  bottom: ["HHHHHHHH", "HIIIIIIH", "HIIIIIIH", "HHHHHHHH"],
  sides: [
    "BCCC|CDt44tDC|CCCB|BCssssCB",
    "BCCD|DDghfgDD|DCCB|BCCCCCCB",
    "BCDD|DEsttsED|DDCB|BCDCCDCB",
    "BCDD|DEEssEED|DDCB|BCDDDDCB",
    "BCDD|DEzrqzED|DDCB|BCDDDDCB",
    "BCCD|DEEDDEDC|DCCB|BCDDDDCB",
    "BBCD|CDzEDzDC|DCBB|BBxyyxBB",
    "BBCC|CDEDDEDC|CCBB|BBCDDCBB",
    "ABCC|CDzDDzDC|CCBA|ABCDDCBA",
    "ABBC|BCDDCDCB|CBBA|ABCCCCBA",
    "LMMM|MMNZzNMM|MMML|LMMMMMML",
    "GHHH|HIIyzIIH|HHHG|GHHHHHHG",
  ],
};

const jacket: BoxArt = {
  top: ["CDE..EDC", "CD....DC", "CD....DC", "CE....EC"],
  sides: [
    "BCCD|DE....ED|DCCB|BCD..DCB",
    "BCCD|DE....ED|DCCB|BCDDDDCB",
    "BCDD|DEF..FED|DDCB|BCDEEDCB",
    "BCDD|DEE..EED|DDCB|BCDEEDCB",
    "BCDD|DEZFEZED|DDCB|BCDEEDCB",
    "BCCD|DEDEEDDC|DCCB|BCDDDDCB",
    "BBCD|CDZEDZDC|DCBB|BBxzZyBB",
    "BBCC|CDDEDDDC|CCBB|BBCDDCBB",
    "ABCC|CDzEDzDC|CCBA|ABCDDCBA",
    "AABB|BCCDCCCB|BBAA|AABCCBAA",
    "....|.BC..CB.|....|........",
    "....|........|....|........",
  ],
};

const rightArm: BoxArt = {
  top: ["qrrq", "rssr", "rsts", "qrsr"],
  bottom: ["2332", "2333", "3333", "2332"],
  sides: [
    "qrss|sstr|rrqq|qrrq",
    "qrst|stsr|rqqp|qrsr",
    "prst|ttsr|rqqp|prsr",
    "BCDD|DEDC|CBBA|BCCB",
    "prss|stsq|rqqp|prrq",
    "prss|tsrq|rqpp|prrq",
    "pqrs|ssrq|rqpp|pqrp",
    "2334|4543|3322|2332",
    "3445|4554|4332|3443",
    "2344|4543|3322|2332",
    "2334|4553|3322|2332",
    "2323|3434|3232|2323",
  ],
};

const rightSleeve: BoxArt = {
  sides: [
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "BCDD|DEDC|CBBA|BCCB",
    "....|....|....|....",
    "rstt|ttts|srqq|rssr",
    "pqrr|rsrq|qqpp|pqqp",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
  ],
};

const rightLeg: BoxArt = {
  top: ["GHHG", "HIIH", "HIIH", "HIIH"],
  bottom: ["LLLL", "LMML", "LMML", "LLLL"],
  sides: [
    "HCDI|IJIH|HHGG|HIIH",
    "HCDI|IJJH|HHGG|HIIH",
    "HCDI|IJJH|HHGG|HIIH",
    "HCDI|IKJH|HGGG|HIIH",
    "HCDI|IKJH|HGGG|HIIH",
    "HCDI|IKJH|HGGG|GHIG",
    "HCDI|JKIH|HGGG|GHHG",
    "GCDI|IJIH|HGGG|GHHG",
    "GBCH|IJIG|GGGG|GHHG",
    "MNNN|NONM|MMLL|MNNM",
    "MMNN|NOOM|MMLL|LMML",
    "LLMM|MNNM|MLLL|LLLL",
  ],
};

const rightTrouser: BoxArt = {
  bottom: ["LLLL", "LLLL", "LLLL", "LLLL"],
  sides: [
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "MNOO|OPON|NNMM|MNNM",
    "....|.PO.|....|....",
    "LLMM|NOPM|MMLL|LLLL",
  ],
};

/** Draws the usher's sheet, 4 pixel arms. */
export function drawUsher(): Bitmap {
  return drawSkin(CLASSIC, LEGEND, {
    head,
    hat,
    torso,
    jacket,
    rightArm,
    rightSleeve,
    rightLeg,
    rightTrouser,
  });
}

/* The slim default: a keeper of coats with a plum bob, a mustard scarf and a long teal coat. */
import type { Bitmap } from "../../src/render/bitmap.ts";
import { SLIM, drawSkin, legendOf, type BoxArt } from "./sheet.ts";

const LEGEND = legendOf({
  "123456": ["#8d4d4c", "#b56f60", "#d4937c", "#ebb596", "#f6ccac", "#fde2c6"], // skin
  abcdef: ["#2a1029", "#43193d", "#622650", "#84385f", "#a6506f", "#c77488"], // hair
  ABCDEF: ["#0b1f2d", "#0f303d", "#15454e", "#1d5f62", "#2e7d76", "#50a08e"], // coat
  XYZz: ["#8a4f1a", "#ba7a22", "#dfa636", "#f6cd68"], // scarf
  vV: ["#d59a35", "#fbe39a"], // brass
  pqrst: ["#84717f", "#b09c9d", "#d3c0b4", "#ecdfcd", "#fbf5e8"], // cuffs
  GHIJK: ["#171320", "#231c2f", "#32293f", "#453a52", "#5b4f67"], // stockings
  LMNOP: ["#240f14", "#3b181c", "#572526", "#743834", "#965247"], // boots
  wWki: ["#fbf6ee", "#cbb9c6", "#174b50", "#45b39d"], // eyes
  uU: ["#b65a5c", "#e59b86"], // lips, cheeks
});

const head: BoxArt = {
  top: ["bccddccb", "ccdddccb", "cddddccc", "cdddddcc", "cddddddc", "ccddddcc", "ccdddccc", "bccddccb"],
  bottom: ["ab2222ba", "b222222b", "22222222", "23333332", "23333332", "23333332", "33444433", "34444443"],
  sides: [
    "bccddccd|dcccdddc|dccddccb|bccddccb",
    "bccddccc|ccbccddc|cccddccb|bccddccb",
    "bbccdccc|c5555c5c|ccccdcbb|bbccdcbb",
    "bbcccccb|ccc55ccc|bcccccbb|bbccccbb",
    "abbccbcb|4Wk55kW4|bcbccbba|abbccbba",
    "abbcbb34|4wi66iw4|43bbcbba|abbccbba",
    "aabbbb34|4U4uu4U4|43bbbbaa|aabbbbaa",
    "aaabb223|34555543|322bbaaa|aaabbaaa",
  ],
};

const hat: BoxArt = {
  top: ["ccddddcc", "cddeeddc", "cdeeeedd", "cddeeeed", "ddeefeed", "cdeeffed", "cddeeedd", "ccddeddc"],
  sides: [
    "cddeeddd|ddeffedc|cdeeeddc|ccdeedcc",
    "cddeeedd|dedeffed|cdeeeddc|cddeeddc",
    "ccdeeddc|ded.deed|cddeedcc|ccdeedcc",
    "bcddeddc|d.....cd|cddeddcb|bcddddcb",
    "bcddddcc|c......c|ccdddccb|bcddddcb",
    "bccddccb|c......c|bccddccb|bccddccb",
    "bbccdcb.|b......b|.bcdccbb|bbcddcbb",
    "abbcbc..|........|..cbcbba|abbccbba",
  ],
};

const torso: BoxArt = {
  top: ["BCCCCCCB", "CYY33YYC", "CYZ33ZYC", "CZZZZZZC"],
  bottom: ["BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "BBBBBBBB"],
  sides: [
    "BYYZ|YZZzZZYX|YYXB|BXYYYYXB",
    "BCYY|XYZZZYXX|YXCB|BCXYYXCB",
    "BCCD|DEXYXEDC|DCCB|BCCDDCCB",
    "BCDD|DECDDEED|DDCB|BCDDDDCB",
    "BCDD|DECDDEDD|DDCB|BCDEEDCB",
    "BCCD|CDCDDDDC|DCCB|BCDDDDCB",
    "LMMM|MMNvVNMM|MMML|LMMMMMML",
    "BCCD|CDCDDEDC|DCCB|BCDCDDCB",
    "BCDD|DECDEEDD|DDCB|BCDBDDCB",
    "BCDD|DECDEEDD|DDCB|BCDBDDCB",
    "BCDD|DECDEEDD|DDCB|BCDBDDCB",
    "ABCC|CDBCDDCC|CCBA|ABCACCBA",
  ],
};

const jacket: BoxArt = {
  top: [".YZZZZY.", "YZ....ZY", "YZ....ZY", "YZzzzzZY"],
  sides: [
    "YYZZ|ZzzzZzZY|ZZYX|XYZZZZYX",
    "XXYZ|YZZzZZYX|ZYYX|XYYZZYXX",
    "....|DXXYYzZC|....|..XXXX..",
    ".CDD|EFCXZZYE|DDC.|.CDEEDC.",
    ".CDD|DEFCZYXD|DDC.|.CDEEDC.",
    ".CDD|DEVDYYED|DDC.|.CDEEDC.",
    "....|....ZXV.|....|........",
    "....|....Y...|....|........",
    "....|..V..v..|....|........",
    "....|........|....|........",
    "....|..V..v..|....|........",
    "....|........|....|........",
  ],
};

const rightArm: BoxArt = {
  top: ["BCB", "CDC", "CDC", "CDC"],
  bottom: ["333", "344", "344", "333"],
  sides: [
    "BCDE|EED|DCCB|BCB",
    "BCDE|EED|DCBB|BCB",
    "BCDD|EDD|CCBB|BCB",
    "BCDD|EDC|CCBB|BCB",
    "BCDD|DDC|CBBB|BCB",
    "ABCD|DDC|CBBA|BBB",
    "ABCD|DDC|CBBA|ABB",
    "ABCC|DCC|BBBA|ABA",
    "qrst|tsr|rqqp|qrq",
    "3445|554|4433|343",
    "3455|554|4433|343",
    "3344|454|4332|333",
  ],
};

const rightSleeve: BoxArt = {
  sides: [
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
    "CDEF|FED|DCCB|CDC",
    "BCvE|EDC|CCBB|BCB",
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
  ],
};

const rightLeg: BoxArt = {
  top: ["BBBB", "BCCB", "BCCB", "BCCB"],
  bottom: ["LLLL", "LMML", "LMML", "LLLL"],
  sides: [
    "HIJJ|JKJI|HHGG|HIIH",
    "HIJJ|JKJI|HHGG|HIIH",
    "HIJJ|JKJI|HHGG|HIIH",
    "GHIJ|JKJI|HGGG|HIIH",
    "GHIJ|IJJH|HGGG|GHHG",
    "GHIJ|IJJH|HGGG|GHHG",
    "GHII|IJIH|HGGG|GHHG",
    "MNOO|OPON|MMMM|MNNM",
    "LMNO|NPNM|MMLL|LMML",
    "LMNN|NOOM|MMLL|LMML",
    "LMNN|NOON|MMLL|LMML",
    "LLLM|MNNM|MLLL|LLLL",
  ],
};

const rightTrouser: BoxArt = {
  bottom: ["LLLL", "LLLL", "LLLL", "LLLL"],
  sides: [
    "BCDD|DEEC|....|BCDC",
    "BCDD|DEDC|....|BCDB",
    "BCDE|DEDB|....|BCDB",
    "BCCD|DDC.|....|BCCB",
    "ABBC|CC..|....|ABB.",
    "....|....|....|....",
    "....|....|....|....",
    "MOPP|OPPO|NNMM|MOOM",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "LLMM|NOOM|MMLL|LLLL",
  ],
};

/** Draws the keeper's sheet, 3 pixel arms. */
export function drawKeeper(): Bitmap {
  return drawSkin(SLIM, LEGEND, { head, hat, torso, jacket, rightArm, rightSleeve, rightLeg, rightTrouser });
}

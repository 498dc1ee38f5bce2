/* A slim example: a scout in a fox hood. */
import type { Bitmap } from "../../src/render/bitmap.ts";
import { SLIM, drawSkin, legendOf, type BoxArt } from "./sheet.ts";

const LEGEND = legendOf({
  "123456": ["#6e3a35", "#925345", "#b57257", "#cf906c", "#e3ab82", "#f3c79f"], // skin
  abcdef: ["#5a1e16", "#86301a", "#b34a1c", "#d96b24", "#ee8f3a", "#f9b763"], // fox fur
  pqrst: ["#8b7482", "#b8a29f", "#dcc9b9", "#f2e6d3", "#fffaf0"], // white fur
  ghi: ["#241722", "#472b2b", "#6e4236"], // ear tips, hair
  ABCDEF: ["#14211c", "#1d3226", "#2a4a32", "#3b653d", "#55844b", "#7ba55f"], // tunic
  LMNOP: ["#24130f", "#3d2116", "#5e3620", "#82502d", "#a8713f"], // leather
  yzZ: ["#8e6a2c", "#d3a546", "#f7dc8a"], // brass
  GHIJ: ["#241f26", "#363038", "#4d454b", "#675c5d"], // trousers
  wWkK: ["#fbf4ea", "#cdb9b4", "#24402f", "#6fa64a"], // eyes
  uU: ["#a14f47", "#d68a6c"], // lips, cheeks
});

const head: BoxArt = {
  top: ["abccccba", "bccddccb", "bccddccb", "bccddccb", "bccddccb", "bccddccb", "bccddccb", "bccddccb"],
  bottom: ["bb2222bb", "b222222b", "22222222", "23333332", "23333332", "23333332", "33444433", "34444443"],
  sides: [
    "bcccccdd|cdddeddc|ddcccccb|bccccccb",
    "bcccccdd|chihhiic|ddcccccb|bccccccb",
    "abccccch|hhiiihhh|hcccccba|abccccba",
    "abccccch|bhi55ihb|hcccccba|abccccba",
    "abbcccbh|4Wk55kW4|hbcccbba|abbccbba",
    "aabbbbb3|4wK66Kw4|3bbbbbaa|aabbbbaa",
    "aaabbbb3|3U4uu4U3|3bbbbaaa|aaabbaaa",
    "aaabbb22|23455432|22bbbaaa|aaaaaaaa",
  ],
};

const hat: BoxArt = {
  top: ["bccddccb", "cdddddec", "cddeeddc", "cdeffedc", "cddeeddc", "cdgeegdc", "dgheehgd", "ghdeedhg"],
  bottom: ["abccccba", "b......b", "c......c", "........", "........", "........", "........", "........"],
  sides: [
    "bccddghg|ghdeedhg|ghgddccb|bcdddddb",
    "bcddeede|eegffgee|edeeddcb|bcdeeddb",
    "bcddeeff|ftfggftf|ffeeddcb|bcdeeddb",
    "bcddeeee|e......e|eeeeddcb|bcdeeddb",
    "bcddeedd|d......d|ddeeddcb|bcddddcb",
    "bbcddddd|d......d|dddddcbb|bbcddcbb",
    "abccdddd|c......c|ddddccba|abccccba",
    "aabbccdc|b......b|cdccbbaa|aabbbbaa",
  ],
};

const torso: BoxArt = {
  top: ["CDDrrDDC", "CDr22rDC", "CDr33rDC", "CDs33sDC"],
  bottom: ["BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "BBBBBBBB"],
  sides: [
    "BCCD|bcd33dcb|DCCB|BCqrrqCB",
    "BCCD|DrsttsrD|DCCB|BCCqqCCB",
    "BCDD|DENrrDED|DDCB|BCDDDDNB",
    "BCDD|DEONDEED|DDCB|BCDDDNOB",
    "BCCD|DEDONEDD|DCCB|BCDDNOCB",
    "BCCD|CDDDONDC|DCCB|BCDNOCCB",
    "ABCC|CDEEDONC|CCBA|ABNOCCBA",
    "LMNN|NNyzZyNN|NNML|LMNNNNML",
    "LMMN|MMyzzyMN|NMML|LMMNNMML",
    "BCDD|DEDCCDED|DDCB|BCDDDDCB",
    "BCDD|DEDCCDED|DDCB|BCDDDDCB",
    "ABCC|CDCBBCDC|CCBA|ABCCCCBA",
  ],
};

const jacket: BoxArt = {
  top: ["dcbbbbcd", "d......d", "r......r", "s......s"],
  sides: [
    "bccd|dee..eed|dccb|bcddddcb",
    "abcc|cdsttsdc|ccba|abcddcba",
    "..ab|bcdssdcb|ba..|.abccba.",
    "....|..NrrO..|....|..abba.N",
    "....|...ON...|....|.....NO.",
    "....|....PO..|....|....NO..",
    "....|.....PO.|....|...NO...",
    "LMNO|OPzZZzPO|ONML|LMNOONML",
    "..NO|M.yzzy..|..NO|NO......",
    "..MN|........|..MN|MN......",
    "....|........|....|........",
    "....|........|....|........",
  ],
};

const rightArm: BoxArt = {
  top: ["BCB", "CDC", "CDC", "CDC"],
  bottom: ["LMM", "MNN", "MNN", "LMM"],
  sides: [
    "BCDE|EED|DCCB|BCB",
    "BCDE|EED|DCBB|BCB",
    "BCDE|EDD|CCBB|BCB",
    "BCDD|EDC|CCBB|BCB",
    "BCDD|DDC|CBBB|BCB",
    "ABCD|DDC|CBBA|BBB",
    "ABCC|DCC|BBBA|ABA",
    "MNNO|OON|NMML|MNM",
    "MNOO|PON|NMML|MNM",
    "LMNO|OON|MMLL|LMM",
    "MNOO|PON|NMML|MNM",
    "LMNN|NON|MMLL|LML",
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
    "NOPP|PPO|ONNM|NON",
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
    "....|...|....|...",
  ],
};

const rightLeg: BoxArt = {
  top: ["GHHG", "HIIH", "HIIH", "HIIH"],
  bottom: ["LLLL", "LMML", "LMML", "LLLL"],
  sides: [
    "GHII|IJIH|HHGG|HIIH",
    "GHII|IJIH|HHGG|HIIH",
    "GHIJ|JJIH|HGGG|HIIH",
    "GHIJ|IJIH|HGGG|GHHG",
    "GHIJ|IJIH|HGGG|GHHG",
    "GHII|JIIH|HGGG|GHHG",
    "MNOO|OPON|MMMM|MNNM",
    "LMNO|NPNM|MMLL|LMML",
    "LMNN|NOOM|MMLL|LMML",
    "LMNO|NPNM|MMLL|LMML",
    "LMNN|NOON|MMLL|LMML",
    "LLLM|MNNM|MLLL|LLLL",
  ],
};

const rightTrouser: BoxArt = {
  bottom: ["LLLL", "LLLL", "LLLL", "LLLL"],
  sides: [
    "CDEE|DEDC|....|CDDC",
    "CDDE|EDCB|....|BCDB",
    "BCDD|DC..|....|.CCB",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "efst|tsfd|cdcb|cdec",
    "cdef|fedc|cbba|bcdb",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "LLMM|NOOM|MMLL|LLLL",
  ],
};

/** Draws the scout's sheet, 3 pixel arms. */
export function drawScout(): Bitmap {
  return drawSkin(SLIM, LEGEND, { head, hat, torso, jacket, rightArm, rightSleeve, rightLeg, rightTrouser });
}

/* A classic example: a diver behind glass, which shows how the second layer lets the first shine through. */
import type { Bitmap } from "../../src/render/bitmap.ts";
import { CLASSIC, drawSkin, legendOf, type BoxArt } from "./sheet.ts";

const LEGEND = legendOf({
  "123456": ["#5d3330", "#7d4a3d", "#a0664d", "#bd8360", "#d49e76", "#e6b991"], // skin
  abcd: ["#3b2a24", "#57402f", "#7a5c3e", "#9c7a52"], // beard
  uvxyzZ: ["#4a2716", "#7a451c", "#ad7125", "#d79d38", "#f0c55c", "#fdeaa4"], // brass
  ABCDEF: ["#0c1a33", "#112647", "#18375f", "#234d7a", "#326a97", "#4f8fb4"], // suit
  RSTU: ["#5c1820", "#8f2a26", "#c2462c", "#e56e3a"], // harness
  LMNO: ["#17181d", "#26282e", "#3a3d42", "#565a5c"], // rubber, lead
  gG: ["#9fe0e83a", "#e6fbff8c"], // glass
  ne: ["#10222e", "#1d4354"], // dark of the helmet
  wWki: ["#f4efe6", "#c4bab4", "#27405e", "#4f86b8"], // eyes
  m: ["#8f4a42"], // lips
});

const head: BoxArt = {
  top: ["nnnnnnnn", "nabbbban", "nbcccdbn", "nbccddbn", "nbcdccbn", "nbccccbn", "nabbbban", "nnnnnnnn"],
  bottom: ["nnnnnnnn", "n222222n", "n222222n", "n222222n", "n333333n", "nabbbban", "nbccccbn", "nnnnnnnn"],
  sides: [
    "nnnnnnnn|nnbccbnn|nnnnnnnn|nnnnnnnn",
    "nnabbbbn|nbcddcbn|nbbbbann|nnabbann",
    "nabbbb3n|nb4554bn|n3bbbban|nabbbban",
    "nabb34bn|nbb45bbn|nb43bban|nabbbban",
    "nabb33bn|3Wk55kW3|nb33bban|nabbbban",
    "naabbbcn|3wi66iw3|ncbbbaan|naabbaan",
    "nnaabbcn|bcdccdcb|ncbbaann|nnaaaann",
    "nnnnnnnn|nbcmmcbn|nnnnnnnn|nnnnnnnn",
  ],
};

const hat: BoxArt = {
  top: ["vxxyyxxv", "xyyzzyyx", "xyzvvzyx", "yzvZyvzy", "yzvyxvzy", "xyzvvzyx", "xyzzzyyx", "xyyzzyyx"],
  bottom: ["vvvvvvvv", "v......v", "v......v", "v......v", "v......v", "v......v", "v......v", "vvvvvvvv"],
  sides: [
    "vxyyzzyy|xyzZZzyx|yyzzyyxv|vxyyyyxv",
    "xyvvvvyx|yzvvvvzy|xyvvvvyx|xyyzzyyx",
    "xveggevy|zvGGggvy|yveggevx|xyyzzyyx",
    "yvgGgnvz|vGG...gv|yvgGgnvy|xyzzZzyx",
    "yvggnnvz|vG.....v|yvggnnvy|xyzzZzyx",
    "xvegnevy|v.....gv|yvegnevx|xyyzzyyx",
    "xyvvvvyy|zv.gg.vy|yyvvvvyx|xyyyyyyx",
    "uvxxyyxx|xzvvvvyx|xxyyxxvu|uvxxxxvu",
  ],
};

const torso: BoxArt = {
  top: ["BCCCCCCB", "CnnnnnnC", "CnnnnnnC", "CCCCCCCC"],
  bottom: ["BBBBBBBB", "BBBBBBBB", "BBBBBBBB", "BBBBBBBB"],
  sides: [
    "BCCD|DEEEEEED|DCCB|BCDDDDCB",
    "BCCD|DSTEESTD|DCCB|BCSDDSCB",
    "BCDD|DSTEESTD|DDCB|BCSDDSCB",
    "BCDE|ESTFESTD|EDCB|BCSEESCB",
    "BCDE|ESTEESTD|EDCB|BCSEESCB",
    "BCDD|DSTEDSTD|DDCB|BCSDDSCB",
    "RSST|TTUUUTTS|TSSR|RSTTTTSR",
    "BCCD|DRSDDRSC|DCCB|BCRDDRCB",
    "MLNM|LNLyzLNM|MNLM|LNMLNLMN",
    "ABCC|CDDEEDDC|CCBA|ABCDDCBA",
    "BCCD|DEDDDDED|DCCB|BCDCCDCB",
    "ABCC|CDDCCDDC|CCBA|ABCCCCBA",
  ],
};

const jacket: BoxArt = {
  top: ["xyyzzyyx", "yv....vy", "yv....vy", "yzzZZzzy"],
  sides: [
    "vxyz|yzzZZzzy|zyxv|vxyyyyxv",
    "vxyy|xyvzzvyx|yyxv|vxyvvyxv",
    "uvxx|vxyyyyxv|xxvu|uvxxxxvu",
    "....|.vxxxxv.|....|..vxxv..",
    "....|........|....|........",
    "....|........|....|........",
    "....|...zZ...|....|........",
    "....|...yz...|....|........",
    "MNOM|NOMyZMON|MONM|MNOMMONM",
    "LMNL|MNLxyLNM|LNML|LMNLLNML",
    "....|........|....|........",
    "....|........|....|........",
  ],
};

const rightArm: BoxArt = {
  top: ["BCCB", "CDDC", "CDEC", "CDDC"],
  bottom: ["LMML", "MNNM", "MNNM", "LMML"],
  sides: [
    "BCDE|EFED|DCCB|BCCB",
    "BCDE|EFED|DCCB|BCDB",
    "BCDE|EEDD|DCBB|BCDB",
    "BCDD|EEDC|CCBB|BCCB",
    "ABCD|DDCC|CBBA|BCCB",
    "BCDE|DEDC|CCBA|BCDB",
    "BCDE|EEDC|CBBA|BCCB",
    "ABCD|DEDC|CBBA|ABCA",
    "RSTU|UTTS|TSSR|RSTS",
    "LMNO|NONM|MMLL|LMML",
    "MNNO|OONM|NMML|LMNM",
    "LMNN|NMNM|MMLL|LMML",
  ],
};

const rightSleeve: BoxArt = {
  sides: [
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "STUU|UUTT|TSSR|RSTS",
    "MNOO|OONM|NMML|LMNM",
    "....|....|....|....",
    "....|....|....|....",
  ],
};

const rightLeg: BoxArt = {
  top: ["BCCB", "CDDC", "CDDC", "CDDC"],
  bottom: ["LLLL", "LMML", "LMML", "LLLL"],
  sides: [
    "BCDD|DEDC|CCBB|BCCB",
    "BCDE|EFEC|CBBB|BCDB",
    "BCDE|EFEC|CBBB|BCDB",
    "BCDE|DEDC|CBBA|BCDB",
    "ABCD|CDCC|CBBA|BCCB",
    "BCDE|DEDC|CBBA|ABCB",
    "ABCD|DEDC|BBBA|ABCB",
    "ABCC|CDCB|BBAA|ABBA",
    "RSST|TUTS|SSRR|RSSR",
    "LMNN|NONM|MMLL|LMML",
    "LMNN|vxyv|MMLL|LMML",
    "uvxx|xyyx|xvvu|uvvu",
  ],
};

const rightTrouser: BoxArt = {
  bottom: ["uuuu", "uvvu", "uvvu", "uuuu"],
  sides: [
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "....|....|....|....",
    "RSTT|TUUT|SSRR|RSSR",
    "....|....|....|....",
    "...x|yzzy|x...|....",
    "vxyy|zZzy|yxvv|vxxv",
  ],
};

/** Draws the diver's sheet, 4 pixel arms. */
export function drawDiver(): Bitmap {
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

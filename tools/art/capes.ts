/* Two capes on 64x32 sheets, each with wings of the same cloth. */
import type { Bitmap } from "../../src/render/bitmap.ts";
import { drawCape, legendOf, type BoxArt } from "./sheet.ts";

const KEY_LEGEND = legendOf({
  ABCDEF: ["#2b0b1c", "#431225", "#5f1a2f", "#7d2639", "#9b3846", "#b85456"], // velvet
  xyzZ: ["#6d3f17", "#a8711f", "#dfab3a", "#fce391"], // brass
  pqrs: ["#10142b", "#1a2142", "#26305a", "#374476"], // lining
});

const keyCape: BoxArt = {
  top: ["xyzzZZzzyx"],
  bottom: ["xxyyxxyyxx"],
  sides: [
    "y|yzzZZZzzyy|x|qrrrrrrrrq",
    "C|CDEEEDDDDC|B|qrsrrrrsrq",
    "C|CDEZZzyDDC|B|qrsrrrrsrq",
    "C|CDZzDDzyDC|B|qrsrrrrsrq",
    "C|CDZDCDDyDC|B|qrsrrrrsrq",
    "C|CDzzDDzyDC|B|qrsrrrrsrq",
    "C|CDEyzyyDDC|B|qrsrrrrsrq",
    "C|CDEEZyCDDC|B|qrrrqqrrrq",
    "C|CDEEZyCDDC|B|qrrrqqrrrq",
    "C|CDEEzyCDDC|B|qrrrqqrrrq",
    "C|CDDEzyzyDC|B|qrrrqqrrrq",
    "C|CDDDzyCCDC|B|qqrrqqrrqq",
    "C|BCDDzyyDCB|B|pqrrqqrrqp",
    "B|BCDDCCDDCB|A|pqrqppqrqp",
    "B|BCDDCBCDCB|A|pqqqppqqqp",
    "x|yzZzyyzZzy|x|ppqpppppqp",
  ],
};

const keyWing: BoxArt = {
  top: ["xyyyzzzzyy", "xyyyzzzzyy"],
  bottom: ["AAAAAAAAAA", "AAAAAAAAAA"],
  sides: [
    "yy|zzZZzzyyyx|xx|rrrrrrrrrq",
    "CC|DEEEDDDCCB|BB|rrrrrrrrqq",
    "CC|DEEFEDDDCB|BB|rrsrrrrrqq",
    "CC|DEEFEDDDCB|BB|rrsrrrrrqq",
    "CC|DEFFEDDDCB|BB|rrsrrrrrqq",
    "CC|DEFEEDDCCB|BB|rrsrrrrqqq",
    "CC|DEFEEDDCCB|BB|rrsrrrrqqq",
    "CC|DEFEDDDCCB|BB|rrsrrrrqqq",
    "CC|DEEEDDCCCB|BB|rrsrrrqqqp",
    "CC|DEEEDDCCCB|BB|rrrrrrqqqp",
    "CC|DEEDDDCCCB|BB|rrrrrrqqqp",
    "CC|DEEDDDCCBB|BB|rrrrrqqqqp",
    "BC|CEEDDCCCBB|BA|rrrrrqqqpp",
    "BC|CDEDDCCCBB|BA|qrrrrqqqpp",
    "BC|CDDDDCCBBB|BA|qrrrqqqqpp",
    "BC|CDDDCCCBBA|AA|qrrrqqqppp",
    "BB|CDDDCCCBBA|AA|qrrqqqqppp",
    "BB|CDDCCCBBBA|AA|qrrqqqpppp",
    "BB|CCDCCCBBAA|AA|qqrqqqpppp",
    "xy|yzzyyyxxxx|xx|qqqqqppppp",
  ],
};

const NIGHT_LEGEND = legendOf({
  abcdefg: ["#141638", "#1f1d52", "#34276b", "#5a3480", "#914a86", "#cf6f78", "#f5aa6c"], // dusk, from the zenith down
  nNmM: ["#0f1226", "#1a1f3b", "#2a3153", "#3f4970"], // mountains
  wW: ["#c9cdea", "#fff3d6"], // snow, moon
});

const nightCape: BoxArt = {
  top: ["aaaaaaaaaa"],
  bottom: ["nnnnnnnnnn"],
  sides: [
    "a|aaaaaaaaaa|a|NNNNNNNNNN",
    "a|aaWaaaaaaw|a|NmmNNNNmmN",
    "a|aaaaaWWwaa|a|NmmNNNNmmN",
    "b|bbbbWWbbbb|b|NmmNNNNmmN",
    "b|bwbbWWbbbb|b|NmmNNNNmmN",
    "b|bbbbWWwbbw|b|NmmNNNNmmN",
    "c|ccccccWWwc|c|NmmNNNNmmN",
    "c|ccWccccccc|c|NNmNNNNmNN",
    "d|dddddddddd|d|NNmNNNNmNN",
    "e|eeeeeedeee|d|NNmNNNNmNN",
    "f|ffWffeMeff|e|NNmNNNNmNN",
    "g|gWwmgMWMgg|f|nNmNNNNmNn",
    "g|WwMmmWwmMg|g|nNNNnnNNNn",
    "m|MMmmmMmmNM|m|nNNNnnNNNn",
    "m|MmmNmmmNNm|N|nnNnnnnNnn",
    "N|mNNnNmNnnN|n|nnnnnnnnnn",
  ],
};

const nightWing: BoxArt = {
  top: ["aaaaaaaaaa", "aaaaaaaaaa"],
  bottom: ["nnnnnnnnnn", "nnnnnnnnnn"],
  sides: [
    "aa|aaaaaaaaaa|aa|NNNNNNNNNN",
    "aa|aaaaaaWaaa|aa|NmmmNNNNNN",
    "aa|aawaaaaaaa|aa|NmmmNNNNNN",
    "aa|aaaaaaaaaa|aa|NmmmNNNNNN",
    "bb|bbbbbbbbwb|bb|NmmmNNNNNN",
    "bb|bbbWbbbbbb|bb|NmmmNNNNNN",
    "bb|bbbbbbbbbb|bb|NmmmNNNNNn",
    "cc|cccccccccc|cc|NmmmNNNNNn",
    "cc|cwccccWccc|cc|NmmNNNNNNn",
    "cc|cccccccccc|cc|NmmNNNNNnn",
    "dd|dddddddddd|dd|NmmNNNNNnn",
    "dd|dddddddddd|dd|NmmNNNNNnn",
    "ee|eeeeeeeeee|dd|NmmNNNNNnn",
    "ee|eeeeeeeeee|ee|NmmNNNNnnn",
    "ff|ffffffffff|ee|NmNNNNNnnn",
    "ff|fffMffffff|ff|NmNNNNNnnn",
    "gg|gfMWMgggMg|gg|NmNNNNnnnn",
    "gm|MMWwmMgMWM|gg|NNNNNNnnnn",
    "mm|MmmmNmMmmm|mm|NNNNNnnnnn",
    "NN|mNNnNmNnnN|nn|nnnnnnnnnn",
  ],
};

/** Draws the cape of the house: a brass key on burgundy velvet. */
export function drawKeyCape(): Bitmap {
  return drawCape(KEY_LEGEND, keyCape, keyWing);
}

/** Draws a cape with a crescent moon over mountains at dusk. */
export function drawNightCape(): Bitmap {
  return drawCape(NIGHT_LEGEND, nightCape, nightWing);
}

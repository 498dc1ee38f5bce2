import { refusal } from "../kernel/refusal.ts";

/** Why a picture is not taken. */
export const pictureRefusals = {
  unfit: refusal("invalid", "picture_unfit", "The picture {what|unsent}"),
  notPng: refusal(
    "invalid",
    "picture_not_png",
    "The picture is not a PNG; save it as PNG, renaming the file is not enough",
  ),
  animated: refusal("invalid", "picture_animated", "The picture is animated; upload a still picture"),
  cutOff: refusal("invalid", "picture_cut_off", "The picture is cut off; upload it again"),
  empty: refusal("invalid", "picture_empty", "The picture has no pixels"),
  tooLarge: refusal("too_large", "picture_too_large", "The picture has more than {bytes} bytes"),
  tooManyPixels: refusal(
    "invalid",
    "picture_too_wide",
    "The picture is {width} x {height} pixels; at most {width_max} x {height_max} are allowed",
  ),
  capeSize: refusal(
    "invalid",
    "cape_size",
    "A cape is 64k x 32k, 22k x 17k or 46k x 22k pixels, not {width} x {height}",
  ),
  skinSheetSize: refusal(
    "invalid",
    "skin_sheet_size",
    "A skin is 64k x 64k or 64k x 32k pixels, not {width} x {height}",
  ),
} as const;

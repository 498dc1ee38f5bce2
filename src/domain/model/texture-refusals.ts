import { refusal } from "../../kernel/refusal.ts";

/** What is refused of skins, capes and their files. `refusals.ts` has them all. */
export const textureRefusals = {
  unknownPlayerOrSkin: refusal(
    "not_found",
    "player_or_skin_unknown",
    "No player or skin has this uuid or username",
  ),
  unknownCapeOrSkin: refusal("not_found", "cape_or_skin_unknown", "No cape or skin has this id"),
  unknownCapeOrPlayer: refusal("not_found", "cape_or_player_unknown", "No cape and no player has this id"),
  noWings: refusal("not_found", "wings_missing", "There is no cape with wings for an elytra"),
  unknownSkin: refusal("not_found", "skin_unknown", "there is no skin {skin}", "skin"),
  unknownCape: refusal("not_found", "cape_unknown", "there is no cape {cape}", "cape"),
  unknownNamedCape: refusal("invalid", "named_cape_unknown", "there is no cape {cape}", "who"),
  notInWardrobe: refusal(
    "invalid",
    "skin_not_in_wardrobe",
    "the player's wardrobe holds no skin {skin}",
    "skin",
  ),
  notInYourWardrobe: refusal("not_found", "own_skin_unknown", "your wardrobe holds no skin {skin}", "skin"),
  notInUsersWardrobe: refusal(
    "invalid",
    "skin_not_in_users_wardrobe",
    "the user's wardrobe holds no skin {skin}",
    "skin",
  ),
  wardrobeFull: refusal(
    "invalid",
    "wardrobe_full",
    "the wardrobe holds {max} skins already; delete one first",
  ),
  capeNotGranted: refusal("invalid", "cape_not_granted", "the account was not granted a cape {cape}", "cape"),
  noSlimArms: refusal("invalid", "no_slim_arms", "a 64x32 skin has no slim arms", "model"),
  noSlimFile: refusal("invalid", "no_slim_file", "a 64x32 skin has no slim arms; send a 64x64 one", "model"),
  skinSize: refusal(
    "invalid",
    "skin_size",
    "is {size}; a skin is 64x64 or 64x32, or a whole multiple of one of them",
  ),
  hdDiffers: refusal("invalid", "hd_differs", "must be {hd}, for the skin's file is {size}", "hd"),
  badTextureName: refusal(
    "invalid",
    "texture_name_invalid",
    "must have 1 to {max} characters on one line, without controls, and invisible ones only within emoji and joined letters",
    "name",
  ),
  skinTooWide: refusal(
    "invalid",
    "skin_too_wide",
    "this skin is {width} pixels wide, and at most {max} are allowed here now",
  ),
  ownPlayersSkin: refusal(
    "invalid",
    "own_players_skin",
    "this player is your own: choose the skin in your wardrobe",
    "player",
  ),
  skinNotShared: refusal("invalid", "skin_not_shared", "{name} does not share this skin", "player"),
  defaultSkinShared: refusal(
    "invalid",
    "default_skin_shared",
    "{name} wears a default skin, which needs no copy",
    "player",
  ),
  sharedSkinBanned: refusal("invalid", "shared_skin_banned", "this picture is banned here", "player"),
  pictureBanned: refusal("invalid", "picture_banned", "this picture is banned here; choose another one"),
  pictureVanishes: refusal(
    "conflict",
    "picture_vanishes",
    "this picture is being deleted again and again; send it again",
  ),
  unknownBan: refusal("not_found", "ban_unknown", "there is no ban of {hash}", "hash"),
  bannedAlready: refusal("conflict", "banned_already", "{hash} is banned already", "hash"),
  shownByCape: refusal(
    "conflict",
    "shown_by_cape",
    "a cape shows the bitmap {hash}; an administrator has to delete the cape first",
    "hash",
  ),
} as const;

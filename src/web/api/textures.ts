/**
 * Addresses of textures, and of the server's pictures of them (docs/contract/delivery.md). Sizes are widths
 * in pixels.
 */

export const skinFile = (uuid: string) => `/api/skin/public/${uuid}`;
export const capeFile = (uuid: string) => `/api/skin/public/cape/${uuid}`;

/** The file of the skin that a player wears, or of the player's default skin. */
export const wornSkinFile = (player: string) => `/api/skin/standart/${player}`;

/** The file of the cape that a player wears, if there is one. */
export const wornCapeFile = (player: string) => `/api/skin/standart/cape/${player}`;

/** A skin's figure, or a player's with what the player wears. */
export const bodyPicture = (uuid: string, size: number) => `/api/skin/body/${uuid}?type=player&size=${size}`;

/** A cape from behind. */
export const capePicture = (uuid: string, size: number) => `/api/skin/cloak/${uuid}?type=player&size=${size}`;

/** A player's face: small heads are flat. */
export const headPicture = (player: string, size: number) => `/api/skin/head/${player}?size=${size}`;

/** Addresses of the server's pictures (docs/contract/delivery.md). Sizes are widths in pixels. */

/** A skin's figure, or a player's with what the player wears. */
export const bodyPicture = (uuid: string, size: number) => `/api/skin/body/${uuid}?type=player&size=${size}`;

/** A cape from behind. */
export const capePicture = (uuid: string, size: number) => `/api/skin/cloak/${uuid}?type=player&size=${size}`;

export const headPicture = (player: string, size: number) =>
  `/api/skin/head/${player}?type=player&size=${size}`;

/** The secret that a launcher gets for a game session. It is no JWT, so neither can pass for the other. */
export type GameToken = { readonly token: string; readonly hash: string };

/** 256 random bits as lower-case hex digits. */
const tokenPattern = /^[0-9a-f]{64}$/;

/** A token that no session has yet, with its hash. */
export function newGameToken(): GameToken {
  const token = crypto.getRandomValues(new Uint8Array(32)).toHex();
  return { token, hash: hashed(token) };
}

/** The hash under which a token is stored; null for a text that is no token of ours. */
export function hashOfGameToken(text: string): string | null {
  return tokenPattern.test(text) ? hashed(text) : null;
}

/** Without a key: 256 random bits cannot be guessed from their hash. */
function hashed(token: string): string {
  return Bun.SHA256.hash(token, "hex");
}

/** Why a person has to sign in again after the server's address has changed. */
export const address = {
  isElsewhere: (address: string) =>
    `This server's address is ${address}. Sign in there: a browser keeps a sign-in for one address alone.`,
  open: (address: string) => `Open ${address}`,
  moved:
    "You come from an older address of this server. Sign in once more: a browser keeps a sign-in for one address alone.",
  hasHttps: "This server has https now. Sign in once more: a sign-in from before is not safe enough to stay.",
};

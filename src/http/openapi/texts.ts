import { examples } from "./examples.ts";

/** Texts that several routes share. */
export const temporaryLevel =
  "With `expired_at` the level holds until then, and the permanent one afterwards; without it, it becomes the permanent one.";
export const unknownUser = `No user is known as ${examples.user}`;
export const lastAdministrator =
  "The last administrator can be neither demoted nor deleted: make somebody else one for good first";

/** What the document says before its routes; markdown. */
export const introduction = `Accounts, skins and capes of a game community, and their delivery to launchers and websites.

**To try it here:** send \`POST /api/auth/login\`, copy \`data.jwt\` from the answer, and give it to **Authorize** as \`jwt\`.
The page forgets it when it is closed.

Answers of JSON are an envelope \`{ error, msg, url, data }\`: \`msg\` is for people, and \`url\` names the next step where there is
one. Whatever fails has \`error: true\`. An address that does not exist answers 404, a method that an address does not take 405 with
\`Allow\`. Every \`GET\` may be asked as \`HEAD\`. UUIDs are taken with or without dashes, in any case, and given dashed in lower case.

**Bounds.** Where nothing else is said, a body of JSON may have 8 KiB, 8 levels, 100 fields in an object and 500 values altogether,
and a form 64 parts. Limits count by the client's address; whoever meets one gets 429 with \`Retry-After\`, mostly before the body
is read. Two failures come without an envelope and close the connection, for what was sent is no request yet: a head of more than
16 KiB or 198 lines (431), and what is no HTTP (400).`;

/** The sections, in the order in which the page shows them. */
export const tags = [
  { name: "Auth", description: "Registration, sign-in, and the way back after a forgotten password." },
  { name: "Social login and linking", description: "Signing in with an account of somewhere else." },
  { name: "Home", description: "What members do with their own account and wardrobe." },
  { name: "Admin", description: "Users, roles, skins, capes, mails and the audit log." },
  { name: "Skin and cape delivery", description: "Pictures and files for websites and launchers." },
  { name: "Service endpoints", description: "For other programs of the same operator." },
  { name: "Mail pages", description: "Pages that links in mails open, for people and mail programs." },
  { name: "Health", description: "For balancers, containers and monitors." },
] as const;

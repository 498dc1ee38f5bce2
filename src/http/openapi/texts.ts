/** What several routes say of temporary levels. */
export const temporaryLevel =
  "With `expired_at` the level holds until then, and the permanent one afterwards; without it, it becomes the permanent one.";

/** The document's introduction; markdown. */
export const introduction = `Accounts, skins and capes of a game community, and their delivery to launchers and websites.

**To try it here:** send \`POST /api/auth/login\`, copy \`data.jwt\` from the answer, and give it to **Authorize** as \`jwt\`.
The page forgets it when it is closed.

Answers of JSON are an envelope \`{ error, msg, url, data }\`: \`msg\` is for people, and \`url\` names the next step where there is
one. Every failure has \`error: true\`. An unknown address answers 404, and a method that an address does not take answers 405 with
\`Allow\`. Every \`GET\` also works as \`HEAD\`. Requests may write UUIDs with or without dashes, in any case; answers have them dashed, in lower case.

**Bounds.** By default a body of JSON may have 8 KiB, 8 levels, 100 fields in an object and 500 values altogether,
and a form 64 parts. Limits count by the client's address; a client over one gets 429 with \`Retry-After\`, mostly before its body
is read. Two failures have no envelope and close the connection, because they come before there is a request: a head of more than
16 KiB or 198 lines (431), and bytes that are not HTTP (400).`;

/** The sections, in the order in which the page shows them. */
export const tags = [
  { name: "Auth", description: "Registration, sign-in, and the way back after a forgotten password." },
  { name: "Social login and linking", description: "Sign-in with an account of another service." },
  { name: "Home", description: "The member's own account and wardrobe." },
  { name: "Admin", description: "Users, levels, skins, capes, mails and the audit log." },
  { name: "Skin and cape delivery", description: "Pictures and files for websites and launchers." },
  { name: "Service endpoints", description: "For other programs of the same operator." },
  { name: "Mail pages", description: "Pages that links in mails open, for people and mail programs." },
  { name: "Health", description: "For balancers, containers and monitors." },
] as const;

import { refusals } from "../../domain/model/refusals.ts";
import { usualRights, type ServiceRight } from "../../domain/model/service-token.ts";
import type { AppError } from "../../kernel/errors.ts";
import { missingRight, staffRefusal } from "../guards.ts";
import { httpRefusals } from "../refusals.ts";
import type { Audience } from "./describe.ts";
import { failuresOf } from "./failure-answers.ts";

type Requirements = {
  readonly text: string;
  /** One of these schemes is needed; none when the list is empty. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly errors: readonly AppError[];
};

const jwt = [{ jwt: [] }];

/** How sessions are refused; the last is the example. */
const signedOut = [
  httpRefusals.noToken(),
  refusals.sessionEnded(),
  refusals.cookieTokenElsewhere(),
  refusals.headerTokenElsewhere(),
  ...failuresOf("unauthenticated"),
];

/** For each audience: its text, the token that its routes take, and how their guard fails. */
export const audiences: Readonly<Record<Audience, Requirements>> = {
  everybody: { text: "Open to everybody.", security: [], errors: [] },
  members: {
    text: "For everybody who is signed in, also before registration is finished.",
    security: jwt,
    errors: signedOut,
  },
  players: {
    text: "For everybody who is signed in and has finished registration.",
    security: jwt,
    errors: [...signedOut, ...failuresOf("forbidden")],
  },
  moderators: {
    text: "For moderators and administrators (levels 2 and 3).",
    security: jwt,
    errors: [...signedOut, ...failuresOf("forbidden"), staffRefusal("moderate", 1)],
  },
  administrators: {
    text: "For administrators (level 3).",
    security: jwt,
    errors: [...signedOut, ...failuresOf("forbidden"), staffRefusal("administer", 2)],
  },
  "services:find": services("find"),
  "services:permission": services("permission"),
  "services:events": services("events"),
  "services:launcher": services("launcher"),
  "services:cape": services("cape"),
  launchServers: {
    text: "For launchers that hold an access token, or one that the LaunchServer of the setting `GRAVIT_KEY_FILE` signed.",
    security: [{ launchServerToken: [] }, { gameToken: [] }],
    errors: [],
  },
  games: {
    text: "For launchers and games that hold an access token.",
    security: [{ gameToken: [] }],
    errors: [],
  },
};

function services(right: ServiceRight): Requirements {
  const held = usualRights.filter((one) => one !== right);
  return {
    text: `For programs that hold a service token with the right \`${right}\`.`,
    security: [{ serviceToken: [] }],
    errors: [httpRefusals.noServiceToken(), refusals.unknownService(), missingRight(right, held)],
  };
}

/** The tokens that routes take, by their names in the document. */
export const securitySchemes = {
  jwt: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `data.jwt` of `POST /api/auth/login`. It lasts a day, or until you sign out.",
  },
  launchServerToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A token that the LaunchServer signed (ES256) for a player.",
  },
  gameToken: {
    type: "http",
    scheme: "bearer",
    description:
      "The `accessToken` that a launcher got when its user signed in. The token of a website's sign-in is none.",
  },
  serviceToken: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description:
      "The token that the operator made for a program by `cloakroom token create <name>`: `Authorization: <token>`.",
  },
} as const;

import { staffRefusal } from "../session.ts";
import { failuresOf, type Failures } from "./failure-answers.ts";

type Requirements = {
  readonly text: string;
  /** One of these schemes is needed; none when the list is empty. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly errors: Failures;
};

const jwt = [{ jwt: [] }];

/** Who may use a route: what is said about it, the token that it takes, and how its guard fails. */
export const audiences = {
  everybody: { text: "Open to everybody.", security: [], errors: {} },
  members: {
    text: "For whoever is signed in, also before registration is finished.",
    security: jwt,
    errors: failuresOf("unauthenticated"),
  },
  players: {
    text: "For whoever is signed in and has finished registration.",
    security: jwt,
    errors: failuresOf("unauthenticated", "forbidden"),
  },
  moderators: {
    text: "For moderators and administrators (levels 2 and 3).",
    security: jwt,
    errors: { ...failuresOf("unauthenticated"), forbidden: staffRefusal("moderate", 1) },
  },
  administrators: {
    text: "For administrators (level 3).",
    security: jwt,
    errors: { ...failuresOf("unauthenticated"), forbidden: staffRefusal("administer", 2) },
  },
  services: {
    text: "For programs that hold a service token.",
    security: [{ serviceToken: [] }],
    errors: { unauthenticated: "This service token is not valid" },
  },
} as const satisfies Record<string, Requirements>;

export type Audience = keyof typeof audiences;

/** The tokens that routes take, as the document calls them. */
export const securitySchemes = {
  jwt: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "What `POST /api/auth/login` answers as `data.jwt`. It lasts a day, or until you sign out.",
  },
  serviceToken: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description:
      "What the operator made for a program by `cloakroom token create <name>`, as it is: `Authorization: <token>`.",
  },
} as const;

import type { ErrorCode } from "../../kernel/errors.ts";

type Requirements = {
  readonly text: string;
  /** One of these schemes is needed; none when the list is empty. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly errors: readonly ErrorCode[];
};

const jwt = [{ jwt: [] }];

/** Who may use a route: what is said about it, the token that it takes, and how its guard fails. */
export const audiences = {
  everybody: { text: "Open to everybody.", security: [], errors: [] },
  members: {
    text: "For whoever is signed in, also before registration is finished.",
    security: jwt,
    errors: ["unauthenticated"],
  },
  players: {
    text: "For whoever is signed in and has finished registration.",
    security: jwt,
    errors: ["unauthenticated", "forbidden"],
  },
  moderators: {
    text: "For moderators and administrators (levels 2 and 3).",
    security: jwt,
    errors: ["unauthenticated", "forbidden"],
  },
  administrators: {
    text: "For administrators (level 3).",
    security: jwt,
    errors: ["unauthenticated", "forbidden"],
  },
  services: {
    text: "For programs that hold a service token.",
    security: [{ serviceToken: [] }],
    errors: ["unauthenticated"],
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
    description: "A token that the operator made for a program, as it is: `Authorization: <token>`.",
  },
} as const;

/*
 * A game server in online mode and a game client, of any version that minecraft-protocol speaks. They are
 * unchanged but for what an injector changes in the real ones: where the session server is, and whose public
 * key signs.
 */
import type { Client, ClientOptions, Server } from "minecraft-protocol";
import yggdrasil from "yggdrasil";
import signatures from "minecraft-protocol/src/server/constants.js";

export type Signed = { readonly name: string; readonly value: string; readonly signature?: string };

/** What the service answered the game server about a player who entered. */
export type Entered = { readonly id: string; readonly name: string; readonly properties: readonly Signed[] };

/** How a client fared: it entered, or the client or the server refused. */
export type Outcome =
  { readonly entered: Entered } | { readonly refused: string; readonly by: "client" | "server" };

export type Play = {
  readonly version: string;
  readonly client: Partial<ClientOptions> & { readonly username: string };
  /** Happens after the client joined and before the server asks for it. */
  readonly meanwhile?: () => Promise<void>;
  readonly enforceSecureProfile?: boolean;
};

export type Game = { readonly versions: readonly string[]; readonly play: (given: Play) => Promise<Outcome> };

/**
 * Loads the game with the address and the public key of the service. The key is read when the game is loaded.
 */
export async function loadGame(root: string, signaturePublicKey: string): Promise<Game> {
  signatures.mojangPublicKeyPem = signaturePublicKey;
  const { createClient, createServer, supportedVersions } = await import("minecraft-protocol");
  const sessionServer = yggdrasil.server;
  let key: unknown;

  const play = async ({
    version,
    client,
    meanwhile,
    enforceSecureProfile = false,
  }: Play): Promise<Outcome> => {
    yggdrasil.server = (options) => {
      const { join, hasJoined } = sessionServer({ host: `${root}/sessionserver`, ...given(options) });
      return {
        join,
        hasJoined: async (...question) => {
          await meanwhile?.();
          return hasJoined(...question);
        },
      };
    };
    const server = createServer({
      version,
      host: "127.0.0.1",
      port: 0,
      keepAlive: false,
      hideErrors: true,
      enforceSecureProfile,
    });
    // A key takes long to make, and one is enough for all servers.
    if (key === undefined) key = Reflect.get(server, "serverKey");
    else Reflect.set(server, "serverKey", key);
    try {
      const port = await portOf(server);
      return await meet(server, () =>
        createClient({
          version,
          host: "127.0.0.1",
          port,
          keepAlive: false,
          hideErrors: true,
          authServer: `${root}/authserver`,
          sessionServer: `${root}/sessionserver`,
          profilesFolder: false,
          ...client,
        }),
      );
    } finally {
      server.close();
      // Other files of the worker load the game, too, and would wrap what is here.
      yggdrasil.server = sessionServer;
    }
  };
  return { versions: supportedVersions, play };
}

/** The options without those that are undefined. */
function given<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function portOf(server: Server): Promise<number> {
  // Its types do not name the socket.
  const { socketServer } = server as unknown as { socketServer: { address(): { port: number } } };
  return new Promise((resolve, reject) => {
    server.once("listening", () => resolve(socketServer.address().port));
    server.once("error", reject);
  });
}

/** A client that hears nothing more has not entered. */
const patienceMs = 10_000;

function meet(server: Server, enter: () => Client): Promise<Outcome> {
  return new Promise((settle) => {
    const waiting = setTimeout(() => settle({ refused: "no answer", by: "server" }), patienceMs);
    const resolve = (outcome: Outcome) => {
      clearTimeout(waiting);
      settle(outcome);
    };
    server.once("login", ({ profile }) => resolve({ entered: profile }));
    const client = enter();
    client.once("error", ({ message }) => resolve({ refused: message, by: "client" }));
    client.once("disconnect", ({ reason }) => resolve({ refused: String(reason), by: "server" }));
    client.once("end", (reason) => resolve({ refused: reason, by: "server" }));
  });
}

/** A client that has signed in already, in whatever way. */
export function signedIn(
  profile: { readonly id: string; readonly name: string },
  accessToken: string,
  more: object = {},
): Play["client"] {
  return {
    username: profile.name,
    auth: (client, options) => {
      Object.assign(client, {
        session: { accessToken, selectedProfile: profile },
        username: profile.name,
        ...more,
      });
      Object.assign(options, { accessToken, haveCredentials: true });
      options.connect?.(client);
    },
  };
}

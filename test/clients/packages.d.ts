/** What the tests use of clients that come without types. */

declare module "yggdrasil" {
  type Profile = { readonly id: string; readonly name: string };
  type Answer = {
    readonly accessToken: string;
    readonly clientToken: string;
    readonly availableProfiles: readonly Profile[];
    readonly selectedProfile?: Profile;
    readonly user?: { readonly id: string; readonly properties: readonly unknown[] };
  };
  type Callback = (error?: Error, answer?: unknown) => void;
  type SessionServer = {
    join(
      accessToken: string,
      profile: string,
      serverId: string,
      secret: string,
      key: string,
      done?: Callback,
    ): Promise<unknown>;
    hasJoined(
      username: string,
      serverId: string,
      secret: string,
      key: string,
      done?: Callback,
    ): Promise<unknown>;
  };
  type Login = {
    readonly user: string;
    readonly pass: string;
    readonly token?: string | null;
    readonly agent?: string;
    readonly requestUser?: boolean;
  };
  type AuthServer = {
    auth(login: Login): Promise<Answer>;
    refresh(accessToken: string, clientToken: string, requestUser?: boolean): Promise<Answer>;
    validate(accessToken: string): Promise<unknown>;
    invalidate(accessToken: string, clientToken: string): Promise<unknown>;
    signout(username: string, password: string): Promise<unknown>;
  };
  type Options = { readonly host?: string };
  const yggdrasil: {
    (options: Options): AuthServer;
    server(options: Options): SessionServer;
  };
  export default yggdrasil;
}

declare module "minecraft-protocol/src/server/constants.js" {
  const constants: { mojangPublicKeyPem: string };
  export default constants;
}

declare module "prismarine-auth/src/common/Constants.js" {
  const constants: { readonly Endpoints: { readonly minecraftJava: Record<string, string> } };
  export default constants;
}

declare module "prismarine-auth/src/TokenManagers/MinecraftJavaTokenManager.js" {
  import type { KeyObject } from "node:crypto";
  export type ProfileKeys = {
    readonly publicPEM: string;
    readonly privatePEM: string;
    readonly publicDER: Buffer;
    readonly privateDER: Buffer;
    readonly signature: Buffer;
    readonly signatureV2: Buffer;
    readonly expiresOn: Date;
    readonly refreshAfter: Date;
    readonly public: KeyObject;
    readonly private: KeyObject;
  };
  export default class MinecraftJavaTokenManager {
    constructor(cache: { getCached(): Promise<object>; setCachedPartial(data: object): Promise<void> });
    fetchProfile(accessToken: string): Promise<unknown>;
    fetchEntitlements(accessToken: string): Promise<{ readonly items: readonly { readonly name: string }[] }>;
    fetchCertificates(accessToken: string): Promise<{ readonly profileKeys: ProfileKeys }>;
  }
}

/** Every address that a protocol promises to its clients, by the protocol. Written from what they ask for. */
import type { ProtocolName } from "../../src/http/protocol-names.ts";

const profile = "0123456789ab4def8123456789abcdef";

/** The same calls at several places. */
const at = (places: readonly string[], requests: readonly string[]): readonly string[] =>
  places.flatMap((place) => requests.map((request) => request.replace(" ", ` /api/yggdrasil${place}`)));

export const pageRoutes = {
  yggdrasil: [
    "GET /api/yggdrasil",
    "GET /api/yggdrasil/",
    ...at(
      ["/authserver", ""],
      ["POST /authenticate", "POST /refresh", "POST /validate", "POST /invalidate", "POST /signout"],
    ),
    ...at(
      ["/sessionserver", ""],
      [
        "POST /session/minecraft/join",
        "GET /session/minecraft/hasJoined?username=Anna&serverId=abc",
        `GET /session/minecraft/profile/${profile}`,
        "GET /blockedservers",
      ],
    ),
    ...at(
      ["/api", ""],
      [
        "POST /profiles/minecraft",
        "GET /users/profiles/minecraft/Anna",
        `PUT /user/profile/${profile}/skin`,
        `PUT /user/profile/${profile}/cape`,
        `DELETE /user/profile/${profile}/skin`,
        `DELETE /user/profile/${profile}/cape`,
        "GET /user/security/location",
      ],
    ),
    ...at(
      ["/api", "/minecraftservices", ""],
      ["POST /minecraft/profile/lookup/bulk/byname", "GET /minecraft/profile/lookup/name/Anna"],
    ),
    ...at(
      ["/minecraftservices", ""],
      [
        `GET /minecraft/profile/lookup/${profile}`,
        "POST /minecraft/profile/skins",
        "DELETE /minecraft/profile/skins/active",
        "DELETE /minecraft/profile/capes/active",
        "GET /publickeys",
        "POST /player/certificates",
        "GET /player/attributes",
        "POST /player/attributes",
        "GET /privileges",
        "GET /privacy/blocklist",
        "GET /minecraft/profile",
        "GET /minecraft/profile/name/Anna/available",
        "GET /minecraft/profile/namechange",
        "PUT /minecraft/profile/name/Anna",
        "GET /entitlements/mcstore",
        "GET /entitlements/license",
        "GET /rollout/v1/msamigration",
        "POST /events",
      ],
    ),
    "GET /api/yggdrasil/discovery/minecraft/client",
    "GET /api/yggdrasil/skins/MinecraftSkins/Anna.png",
    "GET /api/yggdrasil/skins/MinecraftCloaks/Anna.png",
  ],
  csl: ["GET /csl/Anna.json", "GET /Anna.json", `GET /csl/textures/${"a".repeat(64)}`],
  usm: [
    "GET /usm/Anna.json",
    `GET /usm/Anna.${profile}.json`,
    `GET /usm/textures/${"a".repeat(64)}`,
    "GET /usm/MinecraftSkins/Anna.png",
    "GET /usm/MinecraftCloaks/Anna.png",
  ],
  ely: [
    "GET /ely/textures/Anna",
    "GET /ely/skins/Anna",
    "GET /ely/skins/Anna.png",
    "GET /ely/cloaks/Anna.png",
    "GET /ely/skins?name=Anna",
    "GET /ely/cloaks?name=Anna.png",
    "GET /ely/profile/Anna",
    "GET /ely/textures/signed/Anna",
    "GET /ely/signature-verification-key.der",
    "GET /ely/signature-verification-key.pem",
  ],
  legacy: [
    "GET /legacy/skin/Anna.png",
    "GET /legacy/cape/Anna.png",
    "GET /skin/Anna.png",
    "GET /cape/Anna.png",
    "GET /legacy/MinecraftSkins/Anna.png",
    "GET /legacy/MinecraftCloaks/Anna.png",
    "GET /avatar/player/Anna",
  ],
  avatars: [
    `GET /crafatar/avatars/${profile}`,
    `GET /crafatar/renders/head/${profile}`,
    `GET /crafatar/renders/body/${profile}`,
    `GET /crafatar/skins/${profile}`,
    `GET /crafatar/capes/${profile}`,
    ...[
      "avatar",
      "helm",
      "cube",
      "cubehelm",
      "bust",
      "body",
      "armor/bust",
      "armor/body",
      "armour/bust",
    ].flatMap((style) => [`GET /minotar/${style}/Anna`, `GET /minotar/${style}/Anna/64.png`]),
    "GET /minotar/skin/Anna",
    "GET /minotar/download/Anna",
    "GET /minotar/cape/Anna",
    ...["avatar", "head", "body", "player", "combo"].flatMap((style) => [
      `GET /mc-heads/${style}/Anna`,
      `GET /mc-heads/${style}/Anna/64/nohelm`,
    ]),
    "GET /mc-heads/body/Anna/64/left",
    "GET /mc-heads/skin/Anna",
    "GET /mc-heads/download/Anna",
  ],
  gravit: [
    "GET /api/gravit/textures/Anna",
    "POST /api/gravit/upload/skin",
    "POST /api/gravit/upload/cape",
    "GET /api/gravit/auth/user/name/Anna",
    "GET /api/gravit/auth/user/login/Anna",
    `GET /api/gravit/auth/user/uuid/${profile}`,
    "POST /api/gravit/auth/authorize",
    "POST /api/gravit/auth/refresh",
    "GET /api/gravit/auth/session",
    "POST /api/gravit/auth/join",
    "POST /api/gravit/auth/check",
    "GET /api/gravit/auth/details",
  ],
  aurora: ["auth", "join", "hasJoined", "profile", "profiles"].map(
    (call) => `POST /api/aurora/{secret}/${call}`,
  ),
} as const satisfies Record<ProtocolName, readonly string[]>;

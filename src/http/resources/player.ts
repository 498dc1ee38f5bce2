import { rules } from "../rules.ts";
import type { Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { Dress, PlayerChange } from "../../domain/players/change-player.ts";
import type { PlayerList } from "../../domain/players/list-players.ts";
import type { PlayerLook } from "../../domain/ports/player-store.ts";
import { envelopeOf } from "../envelope.ts";
import {
  flagField,
  givenFlag,
  givenNumber,
  givenText,
  readUuid,
  refuseEmptyChange,
  textField,
  uuidField,
} from "../fields.ts";
import { examples } from "../openapi/examples.ts";

/** A player, for its owner and for staff. */

const player = t.Object(
  {
    uuid: givenText("By which games know it and its pictures are requested", examples.user, "uuid"),
    name: givenText("Its name", examples.name),
    main: givenFlag("Whether it stands for its account", true),
    skin: givenText('UUID of the skin that it shows, else ""', examples.skin, "uuidOrEmpty"),
    cape: givenText('UUID of the cape that it shows, else ""', examples.cape, "uuidOrEmpty"),
    own_cape: givenText(
      'UUID of a cape that it wears whatever its skin; "none": it never shows one; "": the one that is linked to its skin',
      "",
      "capeChoice",
    ),
    shares_skin: givenFlag("Whether others may wear the skin that it shows, too", false),
    created: givenNumber("When it was made: Unix seconds", examples.time),
  },
  { component: "Player" },
);
/** `POST /api/home/players`, `PATCH /api/home/players/{uuid}` (docs/contract/home.md#players). */
export const playerEnvelope = envelopeOf(player);

export function presentPlayer({
  player: shown,
  isMain,
  skin,
  cape,
  ownCape,
}: PlayerLook): Static<typeof player> {
  return {
    uuid: shown.uuid,
    name: shown.name,
    main: isMain,
    skin: skin ?? "",
    cape: cape ?? "",
    own_cape: shown.ownCape === "none" ? "none" : (ownCape ?? ""),
    shares_skin: shown.sharesSkin,
    created: shown.createdAt,
  };
}

const playerList = t.Object(
  {
    max: givenNumber("How many players the account may have", 3),
    players: t.Array(player, { description: "The main one first" }),
  },
  { component: "PlayerList" },
);
/** `GET /api/home/players`. */
export const playersEnvelope = envelopeOf(playerList);

export function presentPlayers({ max, players }: PlayerList): Static<typeof playerList> {
  return { max, players: players.map(presentPlayer) };
}

const name = textField("The player's name", "Anna_2", "newUsername", "username");

/** `POST /api/home/players`. */
export const newPlayerBody = t.Object({ name });

/** What a request may change of a player, its owner's and staff's alike. */
const changes = t.Object({
  name: t.Optional(name),
  skinid: t.Optional(
    t.Union([t.String({ shape: "uuidTextOrEmpty" }), t.Null()], {
      description: 'UUID of a skin of the account\'s wardrobe; null or "" for none',
      rule: rules.uuidNullOrEmpty.of(),
      field: "skin",
      examples: [examples.skin],
    }),
  ),
  cloakid: t.Optional(
    t.Union([t.String({ shape: "capeChoice" }), t.Null()], {
      description:
        'UUID of a cape that the account may wear; "none"; null or "" for the one that is linked to the skin',
      rule: rules.uuidNoneNullOrEmpty.of(),
      field: "cape",
      examples: [examples.cape],
    }),
  ),
  shares_skin: t.Optional(
    flagField("Whether others may wear the skin that it shows, too", false, "sharesSkin"),
  ),
});

/** `PATCH /api/home/players/{uuid}`: at least one of the fields beside the password. */
export const ownPlayerBody = t.Object(
  {
    ...changes.properties,
    password: t.Optional(textField("Your current password: needed with a name", examples.password)),
  },
  // Sent as it is, the example changes one field, not all.
  { examples: [{ skinid: examples.skin }] },
);

/** What a body asks a player to wear. Fails with invalid for a body that changes nothing. */
export function readDress(body: Static<typeof changes>): Dress {
  refuseEmptyChange(changes, body);
  return dressOf(body);
}

function dressOf({ skinid, cloakid, shares_skin: sharesSkin }: Static<typeof changes>): Dress {
  return {
    ...(sharesSkin === undefined ? {} : { sharesSkin }),
    ...(skinid === undefined ? {} : { skin: skinid ? readUuid("skinid", skinid) : null }),
    ...(cloakid === undefined ? {} : { cape: readCape(cloakid) }),
  };
}

function readCape(text: string | null): NonNullable<Dress["cape"]> | null {
  if (text === null || text === "") return null;
  return text === "none" ? text : readUuid("cloakid", text);
}

const uuid = uuidField(
  "Another UUID, of version 1 to 5, that no player has",
  "3f1c9a52-7d0e-4b86-a2c4-5e6f7a8b9c0d",
  "uuid",
);

/** `POST /api/admin/user/{identifier}/players`; without a UUID it gets one by rule. */
export const addedPlayerBody = t.Object({ name, uuid: t.Optional(uuid) });

export function readAddedPlayer({ name, uuid }: Static<typeof addedPlayerBody>) {
  return { name, uuid: uuid === undefined ? null : readUuid("uuid", uuid) };
}

/** `PATCH /api/admin/players/{uuid}`: at least one of the fields. */
export const playerChangeBody = t.Object(
  { ...changes.properties, uuid: t.Optional(uuid) },
  // Sent as it is, the example changes one field, not all.
  { examples: [{ name: "Anna_2" }] },
);

export function readPlayerChange(body: Static<typeof playerChangeBody>): PlayerChange {
  refuseEmptyChange(playerChangeBody, body);
  const { name, uuid } = body;
  return {
    ...dressOf(body),
    ...(name === undefined ? {} : { name }),
    ...(uuid === undefined ? {} : { uuid: readUuid("uuid", uuid) }),
  };
}

export const playerParams = t.Object({ uuid: uuidField("A player's UUID", examples.user, "player") });

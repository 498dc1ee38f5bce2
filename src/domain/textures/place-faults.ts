/* Why a place of textures is not the database's: the sentences that operators read, each with what to do. */
import { PlainError, type AppError } from "../../kernel/errors.ts";
import { placeLabelName, type LabelFlaw } from "../model/place-label.ts";
import type { LabelledPlace } from "../ports/place-label.ts";

/** Why a place is not the database's, in words for an operator. */
export type PlaceFault = {
  readonly kind: "community" | "place";
  readonly message: string;
  readonly remedy: string;
};

/** The fault and its remedy as a conflict. */
export function refusalOf({ message, remedy }: PlaceFault): AppError {
  return new PlainError("conflict", `${message}: ${remedy}`);
}

/** The place is another community's. */
export function othersPlace({ where, kind }: LabelledPlace): PlaceFault {
  const cure =
    kind === "bucket"
      ? "give BLOBS another prefix, or, if that community is gone, remove the objects cloakroom.json and"
      : "give this community a folder of its own, or, if that community is gone, remove the file";
  return {
    kind: "community",
    message: `${where} holds the textures of another community`,
    remedy: `${cure} cloakroom-place.json there`,
  };
}

/** The place is not the one that the database was used with; `what` says by what that was found. */
export function otherPlace({ where, kind }: LabelledPlace, what: string): PlaceFault {
  const cure =
    kind === "bucket"
      ? "give every node the same BLOBS and S3_ENDPOINT, and bring back what the bucket lost."
      : "is BLOBS missing, do all nodes share the folder, is the disk of the textures mounted?";
  return {
    kind: "place",
    message: `BLOBS leads to another place than that which this database was used with: ${where} ${what}`,
    remedy: `${cure} If it is the right place all the same, cloakroom fsck --take-over says so`,
  };
}

/** Textures are missing in the folder beside the database, to which only the data folder's setting leads. */
export function lostFolder({ where }: LabelledPlace, what: string): PlaceFault {
  return {
    kind: "place",
    message: `the textures of this database are not in their folder: ${where} ${what}`,
    remedy:
      "is the disk of the textures mounted? Does DATA_DIR lead to the right folder? If they are lost for good," +
      " cloakroom fsck --take-over says so",
  };
}

/** The label cannot be read, or is not one of ours. */
export function flawedPlace({ where, kind }: LabelledPlace, flaw: LabelFlaw): PlaceFault {
  if (flaw.kind === "closed")
    return { kind: "place", message: flaw.reason, remedy: "give it to the user that runs cloakroom" };
  const cause =
    kind === "bucket" ? "does another server answer for the bucket, or was the object" : "was the file";
  return {
    kind: "place",
    message: `${placeLabelName} in ${where} is no label of cloakroom's`,
    remedy: `${cause} damaged? If it is the right place, cloakroom fsck --take-over makes it again`,
  };
}

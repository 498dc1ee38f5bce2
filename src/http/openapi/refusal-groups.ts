import { refusals } from "../../domain/model/refusals.ts";
import { httpRefusals } from "../refusals.ts";
import { rules } from "../rules.ts";

const { passwordsBusy, passwordsOfAddress, passwordsAway } = refusals;
const hashing = [passwordsBusy, passwordsOfAddress, passwordsAway];
const passwords = [...hashing, refusals.tooManyAtOnce, refusals.passwordTriedTooOften];
const signingIn = [...passwords, refusals.suspended];

/** Refusals that several routes share, for the codes that the document lists. */
export const refusalsOf = {
  newName: [
    refusals.nameOutsidePattern,
    refusals.nameInvisible,
    refusals.nameDigits,
    refusals.nameScripts,
    refusals.nameReserved,
    refusals.nameTaken,
    refusals.nameHeld,
  ],
  /** A password that somebody chooses. */
  newPassword: [refusals.passwordLength, refusals.passwordCommon, ...hashing],
  /** The password of one's own account, asked again before a change. */
  ownPassword: [refusals.noPassword, refusals.wrongPassword, refusals.passwordChanged, ...passwords],
  signingIn,
  newMail: [refusals.badMail, refusals.mailTaken],
  mails: [refusals.tooManyMails],
  identifier: [refusals.badIdentifier],
  end: [rules.time, rules.future],
  page: [rules.wholeFrom, rules.rowId],
  search: [rules.charactersMax, rules.noControls, refusals.searchTooShort],
  skinEdit: [rules.uuid, refusals.capeNotGranted, refusals.noSlimArms, refusals.badTextureName],
  /** What only our own pages may do. */
  ownPages: [httpRefusals.notOwnPage, httpRefusals.notOwnPageAnywhere],
  /** What is drawn or read of pictures. */
  pictures: [refusals.picturesBusy, refusals.picturesAway],
  /** An uploaded file of a skin or a cape. */
  upload: [
    refusals.unfit,
    refusals.notPng,
    refusals.animated,
    refusals.cutOff,
    refusals.empty,
    refusals.tooLarge,
    refusals.tooManyPixels,
    httpRefusals.notAForm,
    httpRefusals.tooManyParts,
    refusals.tooManyUploads,
    refusals.importsBusy,
    refusals.picturesAway,
    refusals.pictureBanned,
    refusals.pictureVanishes,
    refusals.badTextureName,
  ],
} as const;

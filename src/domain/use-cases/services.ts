/**
 * What the product does for people, by noun. Each use case says beside its definition who may ask for it and
 * how it fails.
 */
import { bind, type DepsOf } from "../../kernel/bind.ts";
import {
  changeLanguage,
  changePassword,
  confirmMailChange,
  requestMailChange,
} from "../accounts/change-account.ts";
import { listAliases, removeAlias } from "../accounts/aliases.ts";
import { claimAccount } from "../accounts/claim.ts";
import { passwordKind } from "../accounts/password-kind.ts";
import { checkResetCode, forgetPassword, resetPassword } from "../accounts/password-reset.ts";
import { addressOfCode, finishRegistration, register, registerAddress } from "../accounts/register.ts";
import { findSubscriber, setSubscription } from "../accounts/subscription.ts";
import { createChainCheck } from "../audit/chain-check.ts";
import { exportAudit } from "../audit/export-audit.ts";
import { createCertificates } from "../game/certificate.ts";
import { findJoined, joinServer } from "../game/joins.ts";
import { createProfiles } from "../game/profile.ts";
import { endGameSession, refreshGameSession, useGameToken } from "../game/session.ts";
import { signInToGame, signOutOfGame } from "../game/sign-in.ts";
import { readOverview } from "../health/overview.ts";
import { postBulkMail } from "../mail/bulk-mail.ts";
import { postTestMail, postTrialMail } from "../mail/post-test-mail.ts";
import { previewBulkMail } from "../mail/preview-bulk-mail.ts";
import { retryMail } from "../mail/retry-mail.ts";
import { deleteAccount, updateUser } from "../members/administer.ts";
import { giveCapeToMany, takeCapeFromMany } from "../members/cape-owners.ts";
import { confirmAndSignIn, confirmMail } from "../members/confirm.ts";
import { endAllSessionsOf, endSessionOf } from "../members/end-session.ts";
import { giveCape, setCapes, takeCape } from "../members/grants.ts";
import { askToLeave, takeLeaveBack } from "../members/leave.ts";
import { setLevel } from "../members/levels.ts";
import { exportOwn } from "../members/own-export.ts";
import { setUp, type Setup } from "../members/set-up.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { Signer } from "../ports/signer.ts";
import { changePlayer, dressOwnPlayer, renameOwn } from "../players/change-player.ts";
import { createOwnPlayer, createPlayer } from "../players/create-player.ts";
import { deleteOwnPlayer, deletePlayer } from "../players/delete-player.ts";
import { currentNameOf } from "../players/former-name.ts";
import { listPlayers } from "../players/list-players.ts";
import { nameState } from "../players/name-state.ts";
import { wearShared } from "../players/wear-shared.ts";
import { wearCapeFile, wearKnownSkin, wearUpload } from "../players/wear-upload.ts";
import { findAccount } from "../services/find-account.ts";
import type { TokenActivity } from "../services/token-activity.ts";
import { createToken, findService, listTokens, revokeToken } from "../services/tokens.ts";
import type { SessionActivity } from "../sessions/activity.ts";
import { endSession, forgetSession, listSessions, resumeSession, signOut } from "../sessions/session.ts";
import { signIn } from "../sessions/sign-in.ts";
import { beginLogin, connect, redeemLogin } from "../social/connect.ts";
import { createFromIdentity } from "../social/create-from-identity.ts";
import { linkIdentity, removeIdentity } from "../social/link.ts";
import { findWaiting } from "../social/pending.ts";
import { liftBan } from "../textures/ban-texture.ts";
import { addCape, deleteCape } from "../textures/capes.ts";
import { moderateSkin, removeSkin } from "../textures/moderate-skin.ts";
import type { DefaultSkins, Pictures } from "../textures/pictures.ts";
import { deleteSkin, editSkin, selectSkin, uploadSkin } from "../textures/wardrobe.ts";

const accounts = {
  register,
  registerAddress,
  addressOfCode,
  confirmMail,
  confirmAndSignIn,
  finishRegistration,
  find: findAccount,
  changePassword,
  changeLanguage,
  requestMailChange,
  confirmMailChange,
  forgetPassword,
  checkResetCode,
  resetPassword,
  findSubscriber,
  setSubscription,
  claim: claimAccount,
  listAliases,
  passwordKind,
  removeAlias,
};

const sessions = {
  signIn,
  signOut,
  resume: resumeSession,
  forget: forgetSession,
  list: listSessions,
  end: endSession,
  endOf: endSessionOf,
  endAllOf: endAllSessionsOf,
};

const social = {
  beginLogin,
  redeemLogin,
  connect,
  createAccount: createFromIdentity,
  link: linkIdentity,
  unlink: removeIdentity,
  findWaiting,
};

const members = {
  setUp,
  update: updateUser,
  delete: deleteAccount,
  askToLeave,
  takeLeaveBack,
  exportOwn,
  setLevel,
  setCapes,
  giveCape,
  takeCape,
  giveCapeToMany,
  takeCapeFromMany,
};

const players = {
  list: listPlayers,
  create: createPlayer,
  createOwn: createOwnPlayer,
  change: changePlayer,
  dressOwn: dressOwnPlayer,
  renameOwn,
  delete: deletePlayer,
  deleteOwn: deleteOwnPlayer,
  nameState,
  currentNameOf,
  wearShared,
  wearUpload,
  wearKnownSkin,
  wearCapeFile,
};

const textures = {
  uploadSkin,
  editSkin,
  selectSkin,
  deleteSkin,
  moderateSkin,
  removeSkin,
  liftBan,
  addCape,
  deleteCape,
};

const game = {
  signIn: signInToGame,
  signOut: signOutOfGame,
  useToken: useGameToken,
  refresh: refreshGameSession,
  end: endGameSession,
  join: joinServer,
  findJoined,
};

const serviceTokens = { find: findService, list: listTokens, create: createToken, revoke: revokeToken };

const mail = {
  postBulk: postBulkMail,
  postTest: postTestMail,
  postTrial: postTrialMail,
  preview: previewBulkMail,
  retry: retryMail,
};

/** What the nouns work with. */
export type ServicePorts = DepsOf<typeof accounts> &
  DepsOf<typeof sessions> &
  DepsOf<typeof social> &
  DepsOf<typeof members> &
  DepsOf<typeof players> &
  DepsOf<typeof textures> &
  DepsOf<typeof game> &
  DepsOf<typeof serviceTokens> &
  DepsOf<typeof mail> &
  Parameters<typeof exportAudit>[0] &
  Parameters<typeof readOverview>[0] &
  Parameters<typeof createProfiles>[0] & {
    readonly activity: SessionActivity;
    readonly tokenActivity: TokenActivity;
    readonly setup: Setup;
    readonly limits: RateLimits;
    readonly signer: Signer;
    readonly pictures: Pictures;
    readonly defaults: DefaultSkins;
  };

/** All use cases by noun, and what surfaces read beside them. A surface takes a `Pick`. */
export type Services = ReturnType<typeof bindServices>;

/** Binds every use case to its ports, once for the life of a server. */
export function bindServices(ports: ServicePorts) {
  const { activity, tokenActivity, setup, providers, signer, pictures, defaults } = ports;
  return {
    accounts: bind(ports, accounts),
    sessions: { ...bind(ports, sessions), noteUse: activity.note },
    social: { ...bind(ports, social), providers },
    members: { ...bind(ports, members), isSetupOpen: setup.isOpen },
    players: bind(ports, players),
    textures: { ...bind(ports, textures), pictures, defaults },
    game: {
      ...bind(ports, game),
      signer,
      profiles: createProfiles(ports),
      certificates: createCertificates(ports),
    },
    serviceTokens: { ...bind(ports, serviceTokens), noteUse: tokenActivity.note },
    audit: { ...bind(ports, { export: exportAudit }), checkChain: createChainCheck(ports) },
    mail: bind(ports, mail),
    health: { ...bind(ports, { overview: readOverview }), readiness: ports.readiness },
    reads: ports.reads,
    rules: ports.rules,
    limits: ports.limits,
    clock: ports.clock,
  };
}

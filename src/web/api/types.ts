/* Written by `bun run types` from the API's document. */
export interface paths {
  "/api/auth/login": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in with a username or mail address and a password
     * @description `url` leads to the page that finishes registration, where that is still to be done.
     *
     *     Open to everybody.
     */
    post: operations["signIn"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/logout": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End this session
     * @description For everybody who is signed in, also before registration is finished.
     */
    post: operations["signOut"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/register": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a mail address
     * @description May be repeated until the address is confirmed. Passwords that differ are kept, also when the answer is 429, and `POST /api/auth/confirm` says which one counts. The mail names the time and the network of the request.
     *
     *     Open to everybody.
     */
    post: operations["register"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/confirm": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm the address by its code
     * @description `password` is the one of your registration. Where an address was registered with different passwords, it decides which one counts; a password of no registration is 400, and the code stays good. Without it the account then has no password, `url` leads to the page that sets a new one, and the code is good for `POST /api/auth/forgetpass/update`.
     *
     *     Open to everybody.
     */
    post: operations["confirmMail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/forgetpass": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mail a code for a new password
     * @description Open to everybody.
     */
    post: operations["requestPasswordReset"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/forgetpass/validate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check a reset code without using it up
     * @description Open to everybody.
     */
    post: operations["checkResetCode"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/forgetpass/update": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set a new password by a code
     * @description Uses the code up and ends all sessions of the account. The code of a registration is taken as well.
     *
     *     Open to everybody.
     */
    post: operations["resetPassword"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/login/social": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Link a social account by signing in to yours
     * @description Open to everybody.
     */
    post: operations["linkSocialAccount"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/register/social": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an account from a social one
     * @description Its name is derived from the provider's; `url` leads to the page for another name and a password, once. Every failure but a malformed body is `Internal error`.
     *
     *     Open to everybody.
     */
    post: operations["registerWithSocialAccount"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your profile, skins and capes
     * @description For everybody who is signed in, also before registration is finished.
     */
    get: operations["getHomeProfile"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/registerfinish": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Choose a name and a password, once
     * @description For everybody who is signed in, also before registration is finished.
     */
    post: operations["finishRegistration"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/edit/username": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Take another name
     * @description The old name is held for a while, so that no other player can pass for you. Once in 24 hours, unless the operator sets another time; staff are exempt.
     *
     *     For everybody who is signed in and has finished registration.
     */
    patch: operations["changeUsername"];
    trace?: never;
  };
  "/api/home/edit/password": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Set a new password
     * @description Ends all your other sessions.
     *
     *     For everybody who is signed in and has finished registration.
     */
    patch: operations["changePassword"];
    trace?: never;
  };
  "/api/home/mail/request": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mail a code to a new address
     * @description For everybody who is signed in and has finished registration.
     */
    post: operations["requestMailChange"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/mail/validate": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take the new address
     * @description Ends all your other sessions, and notifies the old address.
     *
     *     For everybody who is signed in and has finished registration.
     */
    post: operations["confirmMailChange"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/edit/language": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Choose the language of the mails that you get
     * @description For everybody who is signed in and has finished registration.
     */
    patch: operations["changeLanguage"];
    trace?: never;
  };
  "/api/home/edit/removesocial": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Unlink your social account
     * @description You sign in with your password afterwards, so an account without one cannot do this.
     *
     *     For everybody who is signed in and has finished registration.
     */
    post: operations["unlinkSocialAccount"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/players": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Your players, and how many you may have
     * @description For everybody who is signed in and has finished registration.
     */
    get: operations["listPlayers"];
    put?: never;
    /**
     * Make another player
     * @description It shares your wardrobe, capes and password, and signs in by its name, too.
     *
     *     For everybody who is signed in and has finished registration.
     */
    post: operations["createPlayer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/players/{uuid}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete one of your players
     * @description Not the main one. Its name is held for you for a while; skins and capes stay.
     *
     *     For everybody who is signed in and has finished registration.
     */
    delete: operations["deletePlayer"];
    options?: never;
    head?: never;
    /**
     * Rename and dress one of your players
     * @description A new name takes the current password, and is limited and held as in `PATCH /api/home/edit/username`.
     *
     *     For everybody who is signed in and has finished registration.
     */
    patch: operations["changePlayer"];
    trace?: never;
  };
  "/api/home/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where you are signed in, the last used first
     * @description For everybody who is signed in and has finished registration.
     */
    get: operations["listSessions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/sessions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End one of your sessions
     * @description For everybody who is signed in and has finished registration.
     */
    delete: operations["endSession"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/edit/upload": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Upload a skin into your wardrobe
     * @description A PNG of 64x64 or 64x32 pixels, or of a whole multiple. The first one is worn at once.
     *
     *     For everybody who is signed in and has finished registration.
     */
    post: operations["uploadSkin"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/edit/skin": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Change a skin of your wardrobe
     * @description Fields that are left out stay as they are.
     *
     *     For everybody who is signed in and has finished registration.
     */
    put: operations["updateSkin"];
    post?: never;
    /**
     * Delete a skin of your wardrobe
     * @description A player that wore it wears no skin afterwards.
     *
     *     For everybody who is signed in and has finished registration.
     */
    delete: operations["deleteSkin"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/edit/skin/select": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Wear a skin of your wardrobe
     * @description For everybody who is signed in and has finished registration.
     */
    post: operations["selectSkin"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/home/edit/skin/copy": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Wear the skin that another player shares
     * @description It joins your wardrobe, unless the same picture is there, and your main player wears it. The other player's owner has to share it: `shares_skin`.
     *
     *     For everybody who is signed in and has finished registration.
     */
    post: operations["copySkin"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/overview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Counts, the last days, mail, disk, cache, and what is not in order
     * @description The checks are those of `cloakroom doctor` that make sense while the server runs. They are remembered for a minute.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    get: operations["getOverview"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/installation": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where settings go, which are given, and how the server was started
     * @description For the page that helps to set the server up. It has no value of a setting. The file is looked at at each request. Of several nodes, the one that answers describes itself.
     *
     *     For administrators (level 3).
     */
    get: operations["getInstallation"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * All users, by id, name or last use
     * @description `q` is searched in usernames and mail addresses; it may also be an id or a UUID. What it finds is sorted by name or last use if it is no more than 1000 users.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    get: operations["listUsers"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/user/{identifier}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A user with their skins and capes
     * @description For moderators and administrators (levels 2 and 3).
     */
    get: operations["getUser"];
    put?: never;
    post?: never;
    /**
     * Delete a user with their skins
     * @description The id is never used again, the UUID only when an administrator gives it to a player, and the names are held for a while.
     *
     *     For administrators (level 3).
     */
    delete: operations["deleteUser"];
    options?: never;
    head?: never;
    /**
     * Change a user
     * @description Fields that are left out stay as they are; at least one must be there. A new password or address ends the user's sessions and notifies the old address.
     *
     *     For administrators (level 3).
     */
    patch: operations["updateUser"];
    trace?: never;
  };
  "/api/admin/user/role/{identifier}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a user a level, permanently or for a time
     * @description With `expired_at` the level holds until then, and the permanent one afterwards; without it, it becomes the permanent one.
     *
     *     For administrators (level 3).
     */
    post: operations["setUserRole"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/user/{identifier}/players": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A user's players, and how many the user may make
     * @description For moderators and administrators (levels 2 and 3).
     */
    get: operations["listUserPlayers"];
    put?: never;
    /**
     * Give a user another player
     * @description The number of players that the user may make does not bind it. A `uuid` that another account's player had formerly is taken over; one that is in use is refused.
     *
     *     For administrators (level 3).
     */
    post: operations["createUserPlayer"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/players/{uuid}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete any player that is not its account's main one
     * @description The access tokens of launchers that play it end. Its name is held for its account; skins and capes stay.
     *
     *     For administrators (level 3).
     */
    delete: operations["removePlayer"];
    options?: never;
    head?: never;
    /**
     * Rename and dress any player, or give it another UUID
     * @description Fields that are left out stay as they are; at least one must be there. A new name keeps the UUID, and the old name is held for its account. After a new name or UUID, launchers that play it have to refresh their access token once. A UUID that another account's player had formerly is taken over; one that is in use is refused.
     *
     *     For administrators (level 3).
     */
    patch: operations["updatePlayer"];
    trace?: never;
  };
  "/api/admin/user/{identifier}/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where a user is signed in, the last used first
     * @description For moderators and administrators (levels 2 and 3).
     */
    get: operations["listUserSessions"];
    put?: never;
    post?: never;
    /**
     * End all sessions of a user, of the website and of games
     * @description Moderators may for users of level 1; sessions of moderators and administrators take level 3. The session of the request itself stays.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    delete: operations["endUserSessions"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/user/{identifier}/sessions/{sid}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a session of a user, of the website or of a game
     * @description Moderators may for users of level 1; sessions of moderators and administrators take level 3.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    delete: operations["endUserSession"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/skins": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * All skins, by id
     * @description `q` is searched in the skins' names; it may also be an id or a UUID.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    get: operations["listSkins"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/users/skin/{uuid}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The skins of a user
     * @description For moderators and administrators (levels 2 and 3).
     */
    get: operations["listUserSkins"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/skin/{uuid}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A skin, others that have its bitmap, and what staff removed of its owner
     * @description For moderators and administrators (levels 2 and 3).
     */
    get: operations["lookAtSkin"];
    put?: never;
    post?: never;
    /**
     * Remove anybody's skin
     * @description A player that wore it wears no skin afterwards. With `ban` the bitmap is removed from every wardrobe, which takes some seconds where it is in thousands of them.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    delete: operations["removeSkin"];
    options?: never;
    head?: never;
    /**
     * Change anybody's skin
     * @description Fields that are left out stay as they are; at least one must be there.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    patch: operations["moderateSkin"];
    trace?: never;
  };
  "/api/admin/bans": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * All banned bitmaps, by id
     * @description `q` is the beginning of a hash, or an id.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    get: operations["listBans"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/bans/{hash}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Lift the ban of a bitmap
     * @description It may be uploaded again. Skins that the ban removed do not come back.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    delete: operations["liftBan"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/allcapes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * All capes, by id
     * @description `q` is searched in the capes' names; it may also be an id or a UUID.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    get: operations["listCapes"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/user/cape/upload": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Upload a cape and grant it
     * @description A PNG of 64x32 pixels or a whole multiple; 22x17 and 46x22 are accepted as well.
     *
     *     For administrators (level 3).
     */
    post: operations["uploadCape"];
    /**
     * Delete a cape, and take it off every skin
     * @description For administrators (level 3).
     */
    delete: operations["deleteCape"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/user/cape/{identifier}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set the capes that a user may wear
     * @description The list is complete: a cape that is not in it is taken from the user and from the user's skins and players.
     *
     *     For administrators (level 3).
     */
    post: operations["setUserCapes"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/cape/{cape}/owners": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The users that may wear a cape, in the order of granting
     * @description For moderators and administrators (levels 2 and 3).
     */
    get: operations["listCapeOwners"];
    put?: never;
    /**
     * Give a cape to more people
     * @description A grant that is there keeps its end. A step changes 200 people at most: send the same again with `after`, the `next` of the answer, until that is null.
     *
     *     For administrators (level 3).
     */
    post: operations["giveCapeToMany"];
    /**
     * Take a cape from people, and off their skins and players
     * @description A step changes 200 people at most: send the same again with `after`, the `next` of the answer, until that is null.
     *
     *     For administrators (level 3).
     */
    delete: operations["takeCapeFromMany"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/audit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Changes and their authors, the newest first
     * @description `q` is searched in `iss` and `action`; a number is taken as a user's id. All filters that are given must hold.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    get: operations["listAuditEntries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/audit/chain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the audit's chain of hashes is intact
     * @description Note the newest hash elsewhere from time to time: a person who can write to the database can replace the whole chain. For five minutes only entries that were added meanwhile are verified again.
     *
     *     For moderators and administrators (levels 2 and 3).
     */
    get: operations["verifyAuditChain"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/audit/export": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The audit as a file
     * @description All entries that the filters find, the newest first, as CSV or as lines of JSON like those of `cloakroom audit export`. In CSV an apostrophe stands before a text that a spreadsheet would take for a formula. Each export is an entry of the audit. An answer that breaks off is incomplete: its last chunk is missing.
     *
     *     For administrators (level 3).
     */
    get: operations["exportAudit"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/mail": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Mails to everybody and how far they are, the newest first
     * @description They are listed for 14 days. Copies for people who unsubscribed or left meanwhile count in `total` alone.
     *
     *     For administrators (level 3).
     */
    get: operations["listMailings"];
    put?: never;
    /**
     * Write to all users with a verified address that have not unsubscribed
     * @description The mails are sent one after another, which takes a while; each ends with a link to unsubscribe. The answer has no envelope.
     *
     *     For administrators (level 3).
     */
    post: operations["sendBulkMail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/mail/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A mail to everybody as its readers would get it, and how many they are
     * @description Nothing is sent. The mail is shown in every language, as its reader with your username would get it.
     *
     *     For administrators (level 3).
     */
    post: operations["previewBulkMail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/mail/trial": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a mail to everybody to yourself alone, to see it arrive
     * @description It is what every reader would get, in the language of your own mails; its link to unsubscribe works. `GET /api/admin/outbox/{id}` shows what became of it.
     *
     *     For administrators (level 3).
     */
    post: operations["sendTrialMail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/outbox": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Mails that wait or failed, the newest first
     * @description Failed mails are listed for 30 days. What is written in a mail is never shown.
     *
     *     For administrators (level 3).
     */
    get: operations["listOutbox"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/outbox/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A mail of the outbox, also one that was sent
     * @description Sent mails are kept for 7 days, without what was written in them.
     *
     *     For administrators (level 3).
     */
    get: operations["getOutboxMail"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/outbox/{id}/retry": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a mail that waits or failed now
     * @description `next_at` says when it is tried: a mail that may be on its way at this moment stays as it is, so that it is not sent twice.
     *
     *     For administrators (level 3).
     */
    post: operations["retryMail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/outbox/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test mail
     * @description It goes through the outbox as every mail does: `GET /api/admin/outbox/{id}` shows what became of it, with the mail server's words.
     *
     *     For administrators (level 3).
     */
    post: operations["sendTestMail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The tokens of services, without their values
     * @description First that of the setting SERVICE_API_TOKEN, then the others by age, 100 at most.
     *
     *     For administrators (level 3).
     */
    get: operations["listServiceTokens"];
    put?: never;
    /**
     * Make a token for a service
     * @description Its value is in this answer and nowhere else: only a hash of it is kept.
     *
     *     For administrators (level 3).
     */
    post: operations["createServiceToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/admin/tokens/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Make the token of a service invalid, at once
     * @description For administrators (level 3).
     */
    delete: operations["revokeServiceToken"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/skin/launcher/{uuid}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What a launcher needs to show a player
     * @description Without the envelope. An unknown UUID is answered `{}`.
     *
     *     Open to everybody.
     */
    get: operations["getLauncherTextures"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/skin/launcher/envelope/{uuid}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The same in the envelope
     * @description Open to everybody.
     */
    get: operations["getPlayerTextures"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/console/community": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What pages show of the community and its rules
     * @description Open to everybody.
     */
    get: operations["getCommunity"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/console/session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who is signed in to the console in this browser
     * @description `data` is null for a visitor, and for requests of other pages. A cookie of a session that has ended is removed. `url` is the page to sign in on where the browser still has a session from before https, whose cookie does not count any more.
     *
     *     Open to everybody.
     */
    get: operations["getVisitor"];
    put?: never;
    /**
     * Sign in to the console
     * @description As `POST /api/auth/login`, with a cookie for the console's own pages instead of a token. A session that this browser had ends.
     *
     *     Open to everybody.
     */
    post: operations["signInToConsole"];
    /**
     * Sign out of the console in this browser
     * @description Ends the session, if there is one, and removes the cookie.
     *
     *     Open to everybody.
     */
    delete: operations["signOutOfConsole"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/console/register": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a mail address in the console
     * @description As `POST /api/auth/register`, without a password, which is chosen with the name. May be repeated until a name is chosen.
     *
     *     Open to everybody.
     */
    post: operations["registerInConsole"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/console/confirm/address": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Which address a code of a registration was mailed to
     * @description `data` is null for a code that is wrong, was used or has expired. Uses nothing up: the page shows the address before the code is used.
     *
     *     Open to everybody.
     */
    post: operations["findCodeAddress"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/console/confirm": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm the address by its code, and go on in the console
     * @description Opens a session in which name and password are chosen. Passwords that registrations of the address gave count no longer, and sessions of the account end. `data` is null for an account that has a player or was given a level: its owner signs in.
     *
     *     Open to everybody.
     */
    post: operations["confirmInConsole"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/console/setup": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make the first administrator
     * @description While no account has level 3, the server prints a link with the secret on standard output at each start. It works once; a refused field does not use it up.
     *
     *     Open to everybody.
     */
    post: operations["setUp"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/console/social": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who came from a social provider and waits to be linked
     * @description For ten minutes after a sign-in with `to=console`; `data` is null without one, and for requests of other pages.
     *
     *     Open to everybody.
     */
    get: operations["getWaitingPerson"];
    put?: never;
    /**
     * Link the person who waits to an account, or create one
     * @description `link` needs the account's name and password; `create` derives a name, as `POST /api/auth/register/social` does.
     *
     *     Open to everybody.
     */
    post: operations["joinPerson"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    ActiveSkinAddress: {
      /** @description The address of a texture here, as profiles have it. No other address is fetched */
      url: string;
      /** @description `slim` or `classic` */
      variant?: string;
    };
    ActiveSkinForm: {
      /**
       * Format: binary
       * @description A PNG file
       */
      file: string;
      /** @description `slim` or `classic` */
      variant?: string;
    };
    AuditChain: {
      /**
       * Format: int64
       * @description How many entries are valid, from the first one on
       */
      entries: number;
      /** @description Whether all are */
      intact: boolean;
      /**
       * Format: int64
       * @description Id of the first entry that is not; null: no entry
       */
      broken_at: number | null;
      /** @description What is wrong with it */
      problem: string | null;
      /** @description Hash of the newest valid entry, to be noted; empty without entries: "" */
      hash: string;
    };
    /** @description The envelope of every answer of JSON */
    AuditChainEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["AuditChain"];
    };
    AuditEntry: {
      /**
       * Format: int64
       * @description The value for `after`
       */
      id: number;
      /** @description Who made the change: a username, service:<name>, cli, or system */
      iss: string;
      /**
       * Format: int64
       * @description Id of the user who made the change, whatever their name is now; null where no user did
       */
      actor_id: number | null;
      /** @description Through what: session:<id> or token:<id>; null for cli and system */
      actor_via: string | null;
      /** @description The user who made the change, as they are now; null where no user did */
      by: components["schemas"]["AuditPerson"] | null;
      /** @description What was done: audit.export, cape.delete, cape.expire, cape.give, cape.grant, cape.take, cape.upload, key.rotate, mail.bulk, mail.retry, mail.test, player.create, player.delete, player.update, role.expire, role.set, secret.rotate, session.end, session.end-all, skin.delete, skin.update, skin.upload, texture.ban, texture.unban, token.create, token.revoke, user.create, user.delete, user.rename, user.update */
      action: string;
      /**
       * Format: int64
       * @description Id of the user that it concerns, else 0
       */
      for: number;
      /** @description The user that it concerns, as they are now; null if there is none */
      about: components["schemas"]["AuditPerson"] | null;
      /**
       * Format: int64
       * @description Unix seconds
       */
      time: number;
      /** @description Old and new values; secrets are left out */
      detail: Record<string, never>;
    };
    /** @description The envelope of every answer of JSON */
    AuditEntryListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["AuditEntry"][];
    };
    AuditPerson: {
      /**
       * Format: int64
       * @description Id of the user
       */
      id: number;
      /** @description What they are called now: the username, or the mail address before there is one; of a deleted user the last one, or empty */
      name: string;
      /** @description Whether the user is deleted */
      deleted: boolean;
    };
    AuthenticateBody: {
      /** @description A mail address, or the name of any of the account's players */
      username: string;
      /** @description The account's password */
      password: string;
      /** @description What the launcher calls itself; it comes back as it is */
      clientToken?: string | null;
      /** @description Whether the answer names the account */
      requestUser?: boolean | null;
    };
    AuthorizeGravitPlayerBody: {
      /** @description A mail address, or the name of any of the account's players */
      login: string;
      /** @description `{"type":"plain","password":"…"}`; no other type is taken */
      password: unknown;
      minecraftAccess?: boolean | null;
      /** @description `ip` is the player's address, for which attempts count; the rest is not read */
      context?: unknown;
    };
    AuthorizeLaunchPlayerBody: {
      /** @description A mail address, or the name of any of the account's players */
      login: string;
      /** @description The password */
      password: string;
      /** @description Not read */
      totpCode?: unknown;
    };
    Ban: {
      /**
       * Format: int64
       * @description The value for `after`
       */
      id: number;
      /** @description The bitmap's hash, which names its address under /textures/ */
      hash: string;
      /** @description The username of the moderator who banned it; "cli" from the command line */
      iss: string;
      /**
       * Format: int64
       * @description When: Unix seconds
       */
      time: number;
      /** @description Empty without one */
      reason: string;
    };
    /** @description The envelope of every answer of JSON */
    BanListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Ban"][];
    };
    Cape: {
      /**
       * Format: uuid
       * @description The cape's UUID
       */
      capeid: string;
      /** Format: int64 */
      id: number;
      /** @description Its name, for its owners */
      name: string;
      /** @description Ids of the users that may wear it */
      owners: number[];
      /**
       * Format: int64
       * @description When their right to wear it ends: Unix seconds; absent without an end
       */
      expired_at?: number;
    };
    /** @description The envelope of every answer of JSON */
    CapeEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Cape"];
    };
    CapeGrant: {
      /**
       * Format: int64
       * @description The user's id
       */
      user: number;
      /** @description The user's username; empty before registration is finished: "" */
      name: string;
      /**
       * Format: int64
       * @description When the user's right to wear it ends: Unix seconds; null: never
       */
      expires_at: number | null;
    };
    CapeGrants: {
      /**
       * Format: int64
       * @description The user's id
       */
      id: number;
      /**
       * Format: int64
       * @description The level in force
       */
      new_role_level: number;
      capes: components["schemas"]["GrantedCape"][];
      /**
       * Format: int64
       * @description When their right to wear it ends: Unix seconds; absent without an end
       */
      expired_at?: number;
    };
    /** @description The envelope of every answer of JSON */
    CapeGrantsEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["CapeGrants"];
    };
    CapeOwner: {
      /**
       * Format: int64
       * @description The number of the grant; the value for `after`
       */
      id: number;
      /**
       * Format: int64
       * @description The user's id
       */
      user: number;
      /** @description The user's username; empty before registration is finished: "" */
      name: string;
      /**
       * Format: int64
       * @description When the user's right to wear it ends: Unix seconds; null: never
       */
      expires_at: number | null;
    };
    /** @description The envelope of every answer of JSON */
    CapeOwnerListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["CapeOwner"][];
    };
    CapeOwnersStep: {
      /**
       * Format: int64
       * @description How many people were given it, or had it taken
       */
      changed: number;
      /**
       * Format: int64
       * @description The value for `after` of the next step; null: this was the last one
       */
      next: number | null;
      /**
       * Format: int64
       * @description How many may wear it now
       */
      owners_count: number;
    };
    /** @description The envelope of every answer of JSON */
    CapeOwnersStepEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["CapeOwnersStep"];
    };
    ChangeLanguageBody: {
      /**
       * @description The language of the mails that you get
       * @enum {string}
       */
      language: "en" | "ru" | "de" | "zh-Hans";
    };
    ChangePasswordBody: {
      /** @description Your current password */
      password: string;
      /** @description The new password, 8 to 128 characters */
      newpassword: string;
    };
    ChangePlayerBody: {
      /** @description The player's name */
      name?: string;
      /** @description UUID of a skin of the account's wardrobe; null or "" for none */
      skinid?: string | null;
      /** @description UUID of a cape that the account may wear; "none"; null or "" for the one that is linked to the skin */
      cloakid?: string | null;
      /** @description Whether others may wear the skin that it shows, too */
      shares_skin?: boolean;
      /** @description Your current password: needed with a name */
      password?: string;
    };
    ChangeUsernameBody: {
      /** @description The player's new name */
      username: string;
      /** @description Your current password */
      password: string;
    };
    Check: {
      /** @description What was checked */
      name: string;
      /**
       * @description `warning`: it works, but not as well or as safely as it could
       * @enum {string}
       */
      state: "ok" | "warning" | "fault";
      /**
       * @description What was found, for programs that say it in another language. A newer server may know more codes: show `text` then
       * @enum {string}
       */
      code:
        | "settings_fit"
        | "settings_file_unread"
        | "setting_misspelt"
        | "setting_without_provider"
        | "public_url_unset_behind_proxy"
        | "public_url_unset"
        | "trusted_proxies_unset"
        | "database_unverified"
        | "drain_seconds_zero"
        | "username_pattern_wide"
        | "limits_off"
        | "address_unencrypted"
        | "smtp_unset"
        | "mail_sender_local"
        | "backups_unscheduled"
        | "backup_secrets_open"
        | "disk_unknown"
        | "disk_free"
        | "disk_low"
        | "disk_full"
        | "texture_disk_free"
        | "texture_disk_low"
        | "texture_disk_full"
        | "clock_right"
        | "clock_behind"
        | "open_files_unknown"
        | "open_files_hidden"
        | "open_files_unbounded"
        | "open_files_enough"
        | "open_files_few"
        | "nodes_none"
        | "nodes_serving"
        | "nodes_versions"
        | "nodes_textures_apart"
        | "nodes_public_url_unset"
        | "nodes_public_url_other"
        | "nodes_setting_other"
        | "mail_server_unset"
        | "mail_server_accepts"
        | "mail_server_refuses"
        | "address_unset"
        | "address_answers"
        | "address_leads_here"
        | "address_silent"
        | "address_foreign"
        | "address_clock"
        | "address_other_data"
        | "texture_changed"
        | "texture_refused"
        | "texture_foreign"
        | "launchers_off"
        | "launchers_served"
        | "launchers_address_unset"
        | "launchers_address_local"
        | "launchers_unencrypted"
        | "launchers_unreadable"
        | "launchers_status"
        | "launchers_foreign"
        | "launchers_certificate"
        | "launchers_other_host"
        | "launchers_other_key"
        | "certificate_refused"
        | "certificate_unset"
        | "certificate_good"
        | "certificate_unusable"
        | "certificate_early"
        | "certificate_ended"
        | "certificate_ending"
        | "certificate_other_name"
        | "backups_off"
        | "backups_current"
        | "backups_late"
        | "backups_none"
        | "backup_folder_unusable"
        | "backups_unreadable"
        | "backup_from_future"
        | "backup_incomplete"
        | "backup_unreadable"
        | "backup_foreign"
        | "database_written"
        | "database_unwritable"
        | "textures_written"
        | "textures_unwritable"
        | "mails_leave"
        | "mails_stuck"
        | "check_failed"
        | "check_late"
        | "file_refused";
      /** @description What the sentences of the code name: texts, counts, sizes in bytes, times in Unix seconds. A `reason` is in the words of the system or of the other server */
      values: {
        [key: string]: string | number | boolean;
      };
      /** @description What was found, in English */
      text: string;
      /** @description What to do about it, in English; null: nothing */
      remedy: string | null;
    };
    CheckByGravitBody: {
      /** @description The player's name */
      username: string;
      /** @description What the game server calls this connection */
      serverId: string;
    };
    CheckLaunchPlayerBody: {
      /** @description The player's name */
      username: string;
      /** @description What the game server calls this connection */
      serverId: string;
    };
    CheckResetCodeBody: {
      /** @description The code from the mail, with or without the dash */
      code: string;
    };
    CodeAddress: {
      /** @description Where the code was mailed to */
      mail: string;
    };
    /** @description The envelope of every answer of JSON */
    CodeAddressEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["CodeAddress"] | null;
    };
    Community: {
      /** @description The community's name */
      name: string;
      /** @description Whether the name is a setting; otherwise it is the host's */
      has_name: boolean;
      /** @description What the community says of itself; null: nothing */
      text: string | null;
      /** @description Where else the community is */
      links: {
        /** @description What the link says */
        label: string;
        /** @description https */
        url: string;
      }[];
      /** @description Whether `/console/logo` has a picture */
      logo: boolean;
      /** @description Where people may sign in; the first is the default */
      providers: {
        /** @description As `provider` of `/auth/social/login` takes it */
        name: string;
        /** @description Its name for people */
        label: string;
      }[];
      /** @description The address where people sign in; null: the one that they have opened */
      public_url: string | null;
      protocols: {
        /** @description The address that launchers are given; null: they have none */
        yggdrasil: string | null;
      };
      rules: {
        /**
         * Format: int64
         * @description Characters of a password, at least
         */
        password_min: number;
        /**
         * Format: int64
         * @description Bytes of an uploaded file, at most
         */
        skin_bytes_max: number;
        /**
         * Format: int64
         * @description Pixels of a skin's or cape's width, at most
         */
        hd_width_max: number;
        /**
         * Format: int64
         * @description Skins that a member may keep
         */
        wardrobe_max: number;
        /**
         * Format: int64
         * @description Players that an account may have
         */
        players_max: number;
        /** @description What a username must match, whole */
        username_pattern: string;
      };
      /** @description Whether mails are sent; otherwise they become files of the operator */
      has_mail: boolean;
      /** @description Whether the first administrator is missing */
      needs_setup: boolean;
      /** @description The release that answers */
      version: string;
    };
    /** @description The envelope of every answer of JSON */
    CommunityEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Community"];
    };
    ConfirmInConsoleBody: {
      /** @description The code from the mail, with or without the dash */
      code: string;
    };
    ConfirmMailBody: {
      /** @description The code from the mail, with or without the dash */
      code: string;
      /** @description The password of the registration */
      password?: string;
    };
    ConfirmMailChangeBody: {
      /** @description The code that was mailed to the new address */
      code: string;
      /** @description Your current password */
      password: string;
    };
    ConsoleSession: {
      /**
       * Format: int64
       * @description The account's id
       */
      id: number;
      /** @description Empty while the registration is unfinished */
      username: string;
      /**
       * Format: uuid
       * @description The main player's UUID, or the account's own while it has none
       */
      uuid: string;
      /**
       * @description The level in force: 1 player, 2 moderator, 3 administrator
       * @enum {integer}
       */
      perms: 1 | 2 | 3;
      /** @description Whether the registration is finished */
      finished: boolean;
      /** @description The mail address; empty without one */
      mail: string;
      /**
       * Format: int64
       * @description When the session ends unless it is used before; Unix seconds
       */
      expires_at: number;
    };
    /** @description The envelope of every answer of JSON */
    ConsoleSessionEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["ConsoleSession"];
    };
    /** @description The envelope of every answer of JSON */
    ConsoleVisitEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["ConsoleSession"] | null;
    };
    CopySkinBody: {
      /** @description UUID of the player whose skin it is */
      player: string;
    };
    CreatePlayerBody: {
      /** @description The player's name */
      name: string;
    };
    CreateServiceTokenBody: {
      /** @description 1 to 32 of a-z 0-9 . _ -, which begin with a letter or a digit */
      name: string;
      /** @description What the service may do: find accounts, give levels (permission), read events, serve launch servers (launcher), grant and revoke capes (cape). Without it: find, permission */
      rights?: ("find" | "permission" | "events" | "launcher" | "cape")[];
    };
    CreateUserPlayerBody: {
      /** @description The player's name */
      name: string;
      /** @description Another UUID, of version 1 to 5, that no player has */
      uuid?: string;
    };
    CustomSkinModels: {
      /** @description The id of the skin with classic arms */
      default?: string;
      /** @description The id of the skin with slim arms */
      slim?: string;
    };
    CustomSkinProfile: {
      /** @description The player's name */
      username: string;
      textures: components["schemas"]["CustomSkinTextures"];
      skins: components["schemas"]["CustomSkinModels"];
      /** @description The id of the cape */
      cape?: string;
    };
    CustomSkinTextures: {
      /** @description The id of the skin with classic arms */
      default?: string;
      /** @description The id of the skin with slim arms */
      slim?: string;
      /** @description The id of the cape */
      cape?: string;
      /** @description The id of the cape's wings */
      elytra?: string;
    };
    Day: {
      /** @description The day in UTC */
      day: string;
      /**
       * Format: int64
       * @description Accounts that were made
       */
      registrations: number;
      /**
       * Format: int64
       * @description Sessions that were opened, on the website and in games
       */
      sign_ins: number;
    };
    DeleteCapeBody: {
      /** @description The cape's UUID */
      capeid: string;
    };
    DeletePlayerBody: {
      /** @description Your current password */
      password: string;
    };
    DeleteSkinBody: {
      /** @description The skin's UUID */
      skinid: string;
    };
    ElyCape: {
      /** Format: uri */
      url: string;
    };
    /** @description `metadata` is there for slim arms alone */
    ElySkin: {
      /** Format: uri */
      url: string;
      metadata?: {
        /** @constant */
        model: "slim";
      };
    };
    ElyTextures: {
      SKIN?: components["schemas"]["ElySkin"];
      CAPE?: components["schemas"]["ElyCape"];
    };
    /** @description The envelope of every answer of JSON */
    Envelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: Record<string, never>;
    };
    FindCodeAddressBody: {
      /** @description The code from the mail, with or without the dash */
      code: string;
    };
    FindLaunchSessionBody: {
      /** @description The player's token */
      accessToken: string;
    };
    /** @description 10 at most */
    FindProfilesByNameBody: string[];
    FindUserBody: {
      /** @description Id at the social provider, as a whole number of any length or as text; 0, empty and null count as absent */
      Social_id?: (string | null) | number;
      /** @description Username, in any case; empty and null count as absent */
      Playername?: string | null;
    };
    FinishRegistrationBody: {
      /** @description The player's name: 3 to 16 letters, digits and underscores by default */
      username: string;
      /** @description The account's password from now on, 8 to 128 characters */
      password: string;
    };
    FoundUser: {
      social: {
        /** @description Empty when not linked: "" */
        username: string;
        /** @description Empty when not linked: "" */
        id: string;
      };
      account: {
        /** @description Empty before registration is finished: "" */
        username: string;
        /**
         * Format: uuid
         * @description The player's UUID
         */
        uuid: string;
      };
    };
    GameAttributes: {
      privileges: {
        onlineChat: {
          enabled: boolean;
        };
        multiplayerServer: {
          enabled: boolean;
        };
        multiplayerRealms: {
          enabled: boolean;
        };
        telemetry: {
          enabled: boolean;
        };
        optionalTelemetry: {
          enabled: boolean;
        };
      };
      profanityFilterPreferences: {
        profanityFilterOn: boolean;
      };
      banStatus: {
        bannedScopes: Record<string, never>;
      };
    };
    GameBlocklist: {
      blockedProfiles: string[];
    };
    GameDiscovery: {
      /** @constant */
      environment: "prod";
      /** @constant */
      product: "minecraft";
      discovery: {
        authentication: {
          endpoints: {
            [key: string]: {
              uri: string;
            };
          };
        };
        session: {
          endpoints: {
            [key: string]: {
              uri: string;
            };
          };
        };
        player: {
          endpoints: {
            [key: string]: {
              uri: string;
            };
          };
        };
        profiles: {
          endpoints: {
            getManyByName: {
              uri: string;
            };
            getByName: {
              uri: string;
            };
            getTexture: {
              validUris: string[];
            };
          };
        };
        telemetry: {
          endpoints: {
            [key: string]: {
              uri: string;
            };
          };
        };
      };
    };
    GameEntitlements: {
      items: {
        name: string;
        signature: string;
      }[];
      signature: string;
      keyId: string;
    };
    GameMigration: {
      feature: string;
      rollout: boolean;
    };
    GameNameChange: {
      changedAt: string;
      createdAt: string;
      /** @constant */
      nameChangeAllowed: false;
    };
    GameNameStatus: {
      /** @enum {string} */
      status: "AVAILABLE" | "DUPLICATE" | "NOT_ALLOWED";
    };
    GameProfile: {
      /** @description The player's UUID, without dashes */
      id: string;
      /** @description The player's name */
      name: string;
      properties: {
        name: string;
        /** @description `textures`: JSON in Base64 */
        value: string;
        /** @description Base64, RSA PKCS #1 v1.5 with SHA-1 over the text of `value` */
        signature?: string;
      }[];
    };
    GamePublicKeys: {
      /** @description Base64 of SubjectPublicKeyInfo */
      profilePropertyKeys: {
        publicKey: string;
      }[];
      /** @description Base64 of SubjectPublicKeyInfo */
      playerCertificateKeys: {
        publicKey: string;
      }[];
      /** @description Base64 of SubjectPublicKeyInfo */
      authenticationKeys: {
        publicKey: string;
      }[];
    };
    GiveCapeToManyBody: {
      /** @description These users, by their ids; `owners:` and the UUID or id of another cape, those who hold that one now; or `everybody` with an account: a person who registers later is not concerned */
      who: string | number[];
      /**
       * Format: int64
       * @description Where this step begins: the `next` of the step before
       */
      after?: number;
      /** @description ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). When the right of those who are given it ends. Without it: never */
      expired_at?: (string | null) | number;
    };
    GrantCapeBody: {
      /**
       * Format: int64
       * @description The user's id
       */
      userid: number;
      /** @description The cape's UUID or id */
      cape: string | number;
      /** @description ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). When the user's right to wear it ends. Without it: never */
      expires_at?: (string | null) | number;
    };
    GrantedCape: {
      /** Format: int64 */
      Id: number;
      /** @description Its name, for its owners */
      Name: string;
      /**
       * Format: uuid
       * @description The cape's UUID
       */
      Uuid: string;
      /**
       * Format: int64
       * @description When the user's right to wear it ends: Unix seconds; null: never
       */
      Expires_at: number | null;
    };
    HeldCapes: {
      /**
       * Format: int64
       * @description The user's id
       */
      id: number;
      /**
       * Format: int64
       * @description The level in force
       */
      new_role_level: number;
      capes: components["schemas"]["GrantedCape"][];
    };
    /** @description The envelope of every answer of JSON */
    HeldCapesEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["HeldCapes"];
    };
    HomeCape: {
      /** Format: int64 */
      Id: number;
      /** @description Its name, for its owners */
      Name: string;
      /**
       * Format: uuid
       * @description The value for `cloakid`
       */
      Uuid: string;
      /**
       * Format: int64
       * @description When the user's right to wear it ends: Unix seconds; null: never
       */
      Expires_at: number | null;
    };
    HomeProfile: {
      /** @description Empty before registration is finished: "" */
      Username: string;
      /**
       * Format: uuid
       * @description The player's UUID, by which its pictures are requested
       */
      Uuid: string;
      /** @description Empty for an account without one: "" */
      Mail: string;
      /**
       * Format: int64
       * @description Number of the cape that the main player shows, else 0
       */
      Selected_Cape: number;
      /** @description UUID of the selected skin, else "" */
      Selected_Skin: string;
      /**
       * Format: int64
       * @description The level in force: 1 player, 2 moderator, 3 administrator
       */
      PermLvl: number;
      /** @description Capes that you may wear */
      Capes: components["schemas"]["HomeCape"][];
      /** @description Your wardrobe */
      Skin: components["schemas"]["HomeSkin"][];
      /** @description Whether a social account is linked */
      Social_integration: boolean;
      Social: components["schemas"]["SocialAccount"];
      /**
       * @description 1 when the mail address is verified
       * @enum {integer}
       */
      Mail_verification: 0 | 1;
      /**
       * @description The language of the mails that you get
       * @enum {string}
       */
      Language: "en" | "ru" | "de" | "zh-Hans";
    };
    /** @description The envelope of every answer of JSON */
    HomeProfileEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["HomeProfile"];
    };
    HomeSkin: {
      /** Format: int64 */
      Id: number;
      /** @description Its name in the wardrobe */
      Name: string;
      /**
       * Format: uuid
       * @description The value for `skinid`
       */
      Uuid: string;
      /** @description Whether the arms are three pixels wide */
      Slim: boolean;
      /** @description Whether it is wider than 64 pixels */
      Hd: boolean;
      /** @description UUID of the linked cape, else "" */
      Cloak_id: string;
      /** @description The hash of its pixels: equal for equal pictures */
      Texture_hash: string;
    };
    Installation: {
      /** @description Absolute path of the file of settings */
      settings_file: string;
      /** @description Whether the file is there */
      is_there: boolean;
      /** @description Whether the file was changed since the server started: a restart is due */
      is_changed: boolean;
      /** @description Why the next start refuses the file, without secrets */
      faults: string[];
      /** @description The settings that are given, without their values */
      settings: {
        /** @description The setting's name */
        name: string;
        /**
         * @description What gives it: a flag beats the environment, the environment beats the file
         * @enum {string}
         */
        from: "flag" | "environment" | "file";
      }[];
      /** @description The program as this server was started */
      command: string;
      /** @description What has to follow a command so that it reads the same file; empty: nothing */
      options: string;
      /** @description The folder in which the server was started */
      folder: string;
      restart: {
        /**
         * @description What the server runs under
         * @enum {string}
         */
        by: "terminal" | "npm" | "systemd" | "container" | "unknown";
        /** @description What restarts it; null: no one command does */
        command: string | null;
      };
    };
    /** @description The envelope of every answer of JSON */
    InstallationEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Installation"];
    };
    InvalidateGameTokenBody: {
      /** @description The token of the game session */
      accessToken: string;
    };
    JoinByGravitBody: {
      /** @description The player's name */
      username: string;
      /** @description The player's UUID */
      uuid?: string | null;
      /** @description The `minecraftAccessToken` of the player */
      accessToken: string;
      /** @description What the game server calls this connection */
      serverId: string;
    };
    JoinByLaunchPlayerBody: {
      /** @description The player's name */
      username: string;
      /** @description The player's UUID */
      uuid: string;
      /** @description The player's token */
      accessToken: string;
      /** @description What the game server calls this connection */
      serverId: string;
    };
    JoinPersonBody: {
      /**
       * @description Whether an account that is there is linked, or one is created
       * @enum {string}
       */
      action: "link" | "create";
      /** @description A username or a mail address */
      username?: string;
      /** @description The account's password */
      password?: string;
      /** @description Whether the session lasts for a month; staff's never does */
      stay?: boolean;
    };
    JoinServerBody: {
      /** @description The token of the game session */
      accessToken: string;
      selectedProfile:
        | string
        | {
            /** @description The player's UUID, with or without dashes */
            id: string;
            /** @description The player's name */
            name?: string | null;
          };
      /** @description What the game and the game server agreed upon: a signed SHA-1 in hexadecimal */
      serverId: string;
    };
    LaunchDetails: {
      details: {
        /** @constant */
        type: "password";
      }[];
    };
    LaunchFailure: {
      /** @description What is wrong, or a word that the LaunchServer knows */
      error: string;
      /**
       * Format: int64
       * @description The status, repeated; below `myhttp` 1001 or 1002 for tokens
       */
      code: number;
    };
    LaunchPlayer: {
      username: string;
      /**
       * Format: uuid
       * @description The player's UUID
       */
      uuid: string;
      /** @description Always empty */
      permissions: string[];
      /** @description `moderator` or `administrator`; empty for players */
      roles: string[];
      assets: components["schemas"]["LauncherTextures"];
      /** @description Always false: who is banned cannot sign in */
      banned: boolean;
    };
    LaunchPlayerSession: {
      /**
       * Format: uuid
       * @description The account's id
       */
      id: string;
      /** @description The game's token and the launcher's */
      accessToken: string;
      /** @description The same token, which can be refreshed */
      refreshToken: string;
      /**
       * Format: int64
       * @description Seconds until it has to be refreshed
       */
      expire: number;
      user: components["schemas"]["LaunchPlayer"];
    };
    LaunchReport: {
      /** @description Null when `minecraftAccess` was not asked for */
      minecraftAccessToken: string | null;
      oauthAccessToken: string;
      /** @description The same token, which can be refreshed */
      oauthRefreshToken: string;
      /**
       * Format: int64
       * @description Milliseconds until it has to be refreshed
       */
      oauthExpire: number;
      session: components["schemas"]["LaunchSession"];
    };
    LaunchSession: {
      /**
       * Format: uuid
       * @description The account's id
       */
      id: string;
      user: components["schemas"]["LaunchUser"];
      minecraftAccessToken: string | null;
      /**
       * Format: int64
       * @description Milliseconds until the token has to be refreshed
       */
      expireIn: number;
    };
    /** @description The texture as games load it; `model` is there for slim arms */
    LaunchUpload: {
      /**
       * Format: uri
       * @description Where its file is, for good
       */
      url: string;
      /** @description SHA-256 of the file */
      digest: string;
      metadata: {
        /** @constant */
        model?: "slim";
      };
    };
    LaunchUser: {
      username: string;
      /**
       * Format: uuid
       * @description The player's UUID
       */
      uuid: string;
      serverId: string | null;
      accessToken: string | null;
      permissions: {
        /** @description `moderator` or `administrator`; empty for players, and in answers to strangers */
        roles: string[];
        /** @description Always empty */
        perms: string[];
      };
      assets: components["schemas"]["LauncherTextures"];
      properties: Record<string, never>;
      /**
       * Format: int64
       * @description Always 0: hardware is not recorded
       */
      hwidId: number;
    };
    /** @description Left out for a player without a cape */
    LauncherCape: {
      /**
       * Format: uri
       * @description Where its file is, for good
       */
      url: string;
      /** @description SHA-256 of the file */
      digest: string;
    };
    /** @description Left out for a player without a skin; `metadata` is there for slim arms alone */
    LauncherSkin: {
      /**
       * Format: uri
       * @description Where its file is, for good
       */
      url: string;
      /** @description SHA-256 of the file */
      digest: string;
      metadata?: {
        /** @constant */
        model: "slim";
      };
    };
    LauncherTextures: {
      SKIN?: components["schemas"]["LauncherSkin"];
      CAPE?: components["schemas"]["LauncherCape"];
    };
    LinkSocialAccountBody: {
      /** @description A username or a mail address */
      username: string;
      /** @description The account's password */
      password: string;
      meta: components["schemas"]["SocialMeta"];
    };
    ListedCape: {
      /** Format: int64 */
      id: number;
      /** @description The username of its uploader; "cli" from the command line */
      iss: string;
      /** @constant */
      action: "cape";
      /** @constant */
      for: 0;
      /**
       * Format: int64
       * @description Upload time: Unix seconds
       */
      time: number;
      /**
       * Format: uuid
       * @description The cape's UUID
       */
      uuid: string;
      /** @description Its name, for its owners */
      name: string;
      /** @description SHA-256 of the stored file */
      sha256: string;
      /**
       * Format: int64
       * @description Pixels
       */
      width: number;
      /**
       * Format: int64
       * @description Pixels
       */
      height: number;
      /** @description Ids of the users that may wear it, the first 1000 of them */
      owners: number[];
      /**
       * Format: int64
       * @description How many may wear it
       */
      owners_count: number;
      /** @description The same users, each with name and the end of the grant */
      grants: components["schemas"]["CapeGrant"][];
    };
    /** @description The envelope of every answer of JSON */
    ListedCapeListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["ListedCape"][];
    };
    ListedSkin: {
      /** Format: int64 */
      id: number;
      /** @description The owner's username */
      iss: string;
      /** @constant */
      action: "skin";
      /**
       * Format: int64
       * @description The owner's id
       */
      for: number;
      /**
       * Format: int64
       * @description Upload time: Unix seconds
       */
      time: number;
      /**
       * Format: uuid
       * @description Its UUID, by which its pictures are requested
       */
      uuid: string;
      /** @description Its name in the wardrobe */
      name: string;
      /** @description SHA-256 of the stored file */
      sha256: string;
      /**
       * Format: int64
       * @description Pixels
       */
      width: number;
      /**
       * Format: int64
       * @description Pixels
       */
      height: number;
      /** @description Whether the arms are three pixels wide */
      slim: boolean;
      /** @description Whether it is wider than 64 pixels */
      hd: boolean;
      /** @description UUID of the linked cape, else "" */
      cloak_id: string;
    };
    /** @description The envelope of every answer of JSON */
    ListedSkinListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["ListedSkin"][];
    };
    /** @description 10 at most */
    LookUpNamesBody: string[];
    MailPreview: {
      /**
       * Format: int64
       * @description How many people would get it now
       */
      recipients: number;
      languages: {
        /**
         * @description The language that this mail is written in
         * @enum {string}
         */
        language: "en" | "ru" | "de" | "zh-Hans";
        /**
         * Format: int64
         * @description How many of them get mails in this language
         */
        recipients: number;
        /** @description As the mail server gets it */
        subject: string;
        /** @description The mail as plain text */
        text: string;
        /** @description The mail as a page, which loads nothing */
        html: string;
      }[];
    };
    /** @description The envelope of every answer of JSON */
    MailPreviewEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["MailPreview"];
    };
    Mailing: {
      /**
       * Format: int64
       * @description Its number; the value for `after`
       */
      id: number;
      /** @description Its subject */
      subject: string;
      /** @description The username of the administrator who wrote it */
      iss: string;
      /**
       * Format: int64
       * @description When: Unix seconds
       */
      time: number;
      /**
       * Format: int64
       * @description How many people it was written to
       */
      total: number;
      /**
       * Format: int64
       * @description Copies that the mail server has taken
       */
      sent: number;
      /**
       * Format: int64
       * @description Copies that it refused, or did not take in time
       */
      failed: number;
      /**
       * Format: int64
       * @description Copies that are still to be sent
       */
      waiting: number;
    };
    /** @description The envelope of every answer of JSON */
    MailingListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Mailing"][];
    };
    MailsQueued: {
      msg: string;
    };
    ModFailure: {
      /**
       * Format: int64
       * @description 2: the UUID is another player's. 3: no such player. Else the status
       */
      errno: number;
      /** @description What is wrong, for people to read */
      msg: string;
    };
    ModerateSkinBody: {
      /** @description Its name in the wardrobe, 1 to 64 characters */
      name?: string;
      /** @description Whether the arms are three pixels wide */
      slim?: boolean;
      /** @description Must agree with the file: whether it is more than 64 pixels wide */
      hd?: boolean;
      /** @description UUID of a cape that the owner may wear; null or "" removes the cape */
      cloakid?: string | null;
    };
    NewServiceToken: {
      /** @description The service's name; the audit calls it service:<name> */
      name: string;
      /** @description What the service may do */
      rights: ("find" | "permission" | "events" | "launcher" | "cape")[];
      /**
       * Format: int64
       * @description Unix seconds; null for the token of SERVICE_API_TOKEN
       */
      created: number | null;
      /**
       * Format: int64
       * @description Unix seconds, to the minute; null: never. The last use of the token of SERVICE_API_TOKEN is known since the server's start
       */
      last_used: number | null;
      /** @description Whether it is the token of SERVICE_API_TOKEN, which only that setting ends */
      from_settings: boolean;
      /** @description Its value, which is shown this once */
      token: string;
    };
    /** @description The envelope of every answer of JSON */
    NewServiceTokenEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["NewServiceToken"];
    };
    /** @description The envelope of a sign-in by a person without an account here */
    NotConnected: {
      /** @constant */
      error: true;
      msg: string;
      url: string | null;
      data: {
        user: components["schemas"]["UnlinkedPerson"];
      };
    };
    OutboxMail: {
      /**
       * Format: int64
       * @description Its number; the value for `after`
       */
      id: number;
      /** @description The recipient */
      to: string;
      /** @description Which mail: confirm, reset, mail-changed …; bulk for mails to everybody */
      template: string;
      /**
       * @description The language that it is written in
       * @enum {string}
       */
      language: "en" | "ru" | "de" | "zh-Hans";
      /**
       * @description A failed mail was refused for good, or not taken in time
       * @enum {string}
       */
      state: "waiting" | "sent" | "failed";
      /**
       * Format: int64
       * @description How often sending it was tried
       */
      attempts: number;
      /**
       * Format: int64
       * @description Unix seconds
       */
      created: number;
      /**
       * Format: int64
       * @description When it is tried again: Unix seconds; null unless it waits
       */
      next_at: number | null;
      /** @description What the mail server answered last; null before the first try and once it is sent */
      error: string | null;
      /**
       * Format: int64
       * @description The mail to everybody that it is a copy of; null for a mail to one person
       */
      mailing: number | null;
      /** @description Whether it can be sent: false once its content is gone, a day after it was written */
      can_retry: boolean;
    };
    /** @description The envelope of every answer of JSON */
    OutboxMailEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["OutboxMail"];
    };
    /** @description The envelope of every answer of JSON */
    OutboxMailListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["OutboxMail"][];
    };
    Overview: {
      accounts: {
        /**
         * Format: int64
         * @description All accounts
         */
        total: number;
        /**
         * Format: int64
         * @description Those whose mail address is not confirmed
         */
        unconfirmed: number;
      };
      /**
       * Format: int64
       * @description Skins of all users
       */
      skins: number;
      /**
       * Format: int64
       * @description All capes
       */
      capes: number;
      /** @description The last 14 days, today included, the oldest first */
      days: components["schemas"]["Day"][];
      mail: {
        /**
         * Format: int64
         * @description Mails that wait to be sent
         */
        waiting: number;
        /**
         * Format: int64
         * @description Mails that were given up
         */
        failed: number;
      };
      /** @description The disk of the data with the least room; null where no disk says how much it has */
      disk: {
        /**
         * Format: int64
         * @description Room that is left
         */
        free_bytes: number;
        /**
         * Format: int64
         * @description What all that is on the disk takes
         */
        used_bytes: number;
      } | null;
      cache: {
        /**
         * Format: int64
         * @description Requests for pictures that were in memory, since the start
         */
        hits: number;
        /**
         * Format: int64
         * @description Requests for those that were not
         */
        misses: number;
      };
      checks: components["schemas"]["Check"][];
      /** @description The release */
      version: string;
      /**
       * Format: int64
       * @description When the server was started: Unix seconds
       */
      started_at: number;
    };
    /** @description The envelope of every answer of JSON */
    OverviewEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Overview"];
    };
    OwnGameProfile: {
      /** @description The player's UUID, without dashes */
      id: string;
      name: string;
      skins: {
        /** Format: uuid */
        id: string;
        /** @constant */
        state: "ACTIVE";
        url: string;
        /** @enum {string} */
        variant: "CLASSIC" | "SLIM";
      }[];
      capes: {
        /** Format: uuid */
        id: string;
        /** @enum {string} */
        state: "ACTIVE" | "INACTIVE";
        url: string;
        alias: string;
      }[];
    };
    PictureFailure: {
      /** @constant */
      error: true;
      /** @description What is wrong, for people to read */
      msg: string;
      url: string | null;
      data: Record<string, never>;
    };
    Player: {
      /**
       * Format: uuid
       * @description By which games know it and its pictures are requested
       */
      uuid: string;
      /** @description Its name */
      name: string;
      /** @description Whether it stands for its account */
      main: boolean;
      /** @description UUID of the skin that it shows, else "" */
      skin: string;
      /** @description UUID of the cape that it shows, else "" */
      cape: string;
      /** @description UUID of a cape that it wears whatever its skin; "none": it never shows one; "": the one that is linked to its skin */
      own_cape: string;
      /** @description Whether others may wear the skin that it shows, too */
      shares_skin: boolean;
      /**
       * Format: int64
       * @description When it was made: Unix seconds
       */
      created: number;
    };
    PlayerCertificate: {
      keyPair: {
        privateKey: string;
        publicKey: string;
      };
      /** @description For 1.19 */
      publicKeySignature: string;
      /** @description For later ones */
      publicKeySignatureV2: string;
      expiresAt: string;
      refreshedAfter: string;
    };
    /** @description The envelope of every answer of JSON */
    PlayerEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Player"];
    };
    PlayerList: {
      /**
       * Format: int64
       * @description How many players the account may have
       */
      max: number;
      /** @description The main one first */
      players: components["schemas"]["Player"][];
    };
    /** @description The envelope of every answer of JSON */
    PlayerListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["PlayerList"];
    };
    PlayerTextures: {
      username: string;
      /**
       * Format: uuid
       * @description The player's UUID
       */
      uuid: string;
      /**
       * Format: int64
       * @description When the player was made: Unix seconds
       */
      created: number;
      /** @description Whether members may wear its skin, too */
      shares_skin: boolean;
      /** @description The name of its cape; left out for a player without one */
      cape_name?: string;
      SKIN?: components["schemas"]["LauncherSkin"];
      CAPE?: components["schemas"]["LauncherCape"];
    };
    /** @description The envelope of every answer of JSON */
    PlayerTexturesEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["PlayerTextures"];
    };
    PreviewBulkMailBody: {
      /** @description 1 to 150 characters on one line */
      subject: string;
      /** @description 1 to 20,000 characters of plain text; a blank line begins another paragraph */
      message: string;
    };
    PutPlayerCapeBody: {
      /**
       * Format: binary
       * @description A PNG file
       */
      file: string;
    };
    PutPlayerSkinBody: {
      /**
       * Format: binary
       * @description A PNG file
       */
      file: string;
      /** @description `slim`; anything else, and none, is the classic model */
      model?: string;
    };
    Readiness: {
      /** @description A row can be written. */
      database: boolean;
      /** @description The disks of the data folder and of the textures have room. */
      disk: boolean;
      /** @description A texture can be written. A warning where textures are in a bucket. */
      textures: boolean;
      /** @description Mails are sent. A warning: the service stays ready without it. */
      outbox: boolean;
    };
    /** @description The envelope of every answer of JSON */
    ReadinessEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Readiness"];
    };
    RefreshGameTokenBody: {
      /** @description The token of the game session */
      accessToken: string;
      /** @description What the launcher calls itself; it comes back as it is */
      clientToken?: string | null;
      /** @description Whether the answer names the account */
      requestUser?: boolean | null;
      selectedProfile?: {
        /** @description The player's UUID, with or without dashes */
        id: string;
        /** @description The player's name */
        name?: string | null;
      } | null;
    };
    RefreshGravitTokenBody: {
      /** @description The `oauthRefreshToken` */
      refreshToken: string;
      /** @description Not read */
      context?: unknown;
    };
    RefreshLaunchSessionBody: {
      /** @description The `refreshToken` */
      refreshToken: string;
    };
    RegisterBody: {
      /**
       * Format: email
       * @description A mail address without an account here
       */
      mail: string;
      /** @description 8 to 128 characters */
      password: string;
    };
    RegisterInConsoleBody: {
      /**
       * Format: email
       * @description The account's mail address
       */
      mail: string;
    };
    RegisterWithSocialAccountBody: {
      meta: components["schemas"]["SocialMeta"];
    };
    RemoveSkinBody: {
      /** @description The reason, for the owner: one line of 500 characters at most, mailed if the address is verified; empty for none */
      reason?: string;
      /** @description Whether the bitmap is removed from every wardrobe and may not be uploaded again */
      ban?: boolean;
    };
    RequestMailChangeBody: {
      /**
       * Format: email
       * @description The new mail address
       */
      mail: string;
      /** @description Your current password */
      password: string;
    };
    RequestPasswordResetBody: {
      /**
       * Format: email
       * @description The account's mail address
       */
      mail: string;
    };
    ResetPasswordBody: {
      /** @description The code from the mail, with or without the dash */
      code: string;
      /** @description The new password, 8 to 128 characters */
      password: string;
    };
    RevokeCapeBody: {
      /**
       * Format: int64
       * @description The user's id
       */
      userid: number;
      /** @description The cape's UUID or id */
      cape: string | number;
    };
    RoleAssignment: {
      /** Format: int64 */
      id: number;
      /**
       * Format: int64
       * @description The level in force
       */
      new_role_level: number;
      /**
       * Format: int64
       * @description When it ends: Unix seconds; absent for a level without an end
       */
      expired_at?: number;
    };
    /** @description The envelope of every answer of JSON */
    RoleAssignmentEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["RoleAssignment"];
    };
    SameSkin: {
      /**
       * Format: int64
       * @description Whose it is
       */
      user: number;
      /** @description Their username */
      username: string;
      /**
       * Format: uuid
       * @description Its UUID, by which its pictures are requested
       */
      uuid: string;
      /** @description Its name in the wardrobe */
      name: string;
      /** @description Whether its owner shows it */
      selected: boolean;
    };
    SelectSkinBody: {
      /** @description The skin's UUID */
      skinid: string;
    };
    SendBulkMailBody: {
      /** @description 1 to 150 characters on one line */
      subject: string;
      /** @description 1 to 20,000 characters of plain text; a blank line begins another paragraph */
      message: string;
    };
    SendTestMailBody: {
      /**
       * Format: email
       * @description The recipient; your own address when it is left out
       */
      to?: string;
      /**
       * @description The language that it is written in; that of your own mails when it is left out
       * @enum {string}
       */
      language?: "en" | "ru" | "de" | "zh-Hans";
    };
    SendTrialMailBody: {
      /** @description 1 to 150 characters on one line */
      subject: string;
      /** @description 1 to 20,000 characters of plain text; a blank line begins another paragraph */
      message: string;
    };
    ServiceToken: {
      /** @description The service's name; the audit calls it service:<name> */
      name: string;
      /** @description What the service may do */
      rights: ("find" | "permission" | "events" | "launcher" | "cape")[];
      /**
       * Format: int64
       * @description Unix seconds; null for the token of SERVICE_API_TOKEN
       */
      created: number | null;
      /**
       * Format: int64
       * @description Unix seconds, to the minute; null: never. The last use of the token of SERVICE_API_TOKEN is known since the server's start
       */
      last_used: number | null;
      /** @description Whether it is the token of SERVICE_API_TOKEN, which only that setting ends */
      from_settings: boolean;
    };
    /** @description The envelope of every answer of JSON */
    ServiceTokenListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["ServiceToken"][];
    };
    Session: {
      /**
       * Format: uuid
       * @description Its id, to end it by
       */
      id: string;
      /**
       * Format: int64
       * @description Unix seconds
       */
      created: number;
      /**
       * Format: int64
       * @description Unix seconds, to the minute
       */
      last_used: number;
      /**
       * Format: int64
       * @description Unix seconds
       */
      expires: number;
      /** @description The address it was opened from */
      address: string;
      /** @description The name that the program gave which opened it */
      user_agent: string;
      /**
       * @description Whether it was opened here, or by a launcher for the game
       * @enum {string}
       */
      kind: "web" | "game";
      /** @description Whether this request was made through it */
      current: boolean;
    };
    /** @description The envelope of every answer of JSON */
    SessionListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Session"][];
    };
    SetPermissionBody: {
      /**
       * Format: int64
       * @description The user's id
       */
      userid: number;
      /**
       * @description 1 player, 2 moderator, 3 administrator
       * @enum {integer}
       */
      permission: 1 | 2 | 3;
      /** @description ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). When the level ends and the permanent one holds again. Without it: never */
      expired_at?: (string | null) | number;
    };
    SetUpBody: {
      /** @description What follows # in the link on standard output */
      secret: string;
      /**
       * Format: email
       * @description The administrator's mail address
       */
      mail: string;
      /** @description The administrator's player name */
      username: string;
      /** @description 8 to 128 characters */
      password: string;
    };
    SetUserCapesBody: {
      /**
       * Format: int64
       * @description The id of the same user as in the path
       */
      user: number;
      /** @description UUIDs or ids of all capes that the user may wear from now on, each maybe with an end of its own; empty for no cape */
      cape: (
        | string
        | number
        | {
            id: string | number;
            /** @description ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). Without it: as in the body */
            expired_at?: (string | null) | number;
          }
      )[];
      /** @description ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). When the user's right to wear them ends. Without it: never */
      expired_at?: (string | null) | number;
    };
    SetUserRoleBody: {
      /**
       * Format: int64
       * @description The id of the same user as in the path
       */
      user: number;
      /**
       * @description 1 player, 2 moderator, 3 administrator
       * @enum {integer}
       */
      role_level: 1 | 2 | 3;
      /** @description ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). When the level ends and the permanent one holds again. Without it: never */
      expired_at?: (string | null) | number;
    };
    SignInBody: {
      /** @description A username or a mail address */
      username: string;
      /** @description The account's password */
      password: string;
    };
    SignInToConsoleBody: {
      /** @description A username or a mail address */
      username: string;
      /** @description The account's password */
      password: string;
      /** @description Whether the session lasts for a month; staff's never does */
      stay?: boolean;
    };
    SignOutOfGameBody: {
      /** @description A mail address, or the name of any of the account's players */
      username: string;
      /** @description The account's password */
      password: string;
    };
    Skin: {
      /** Format: int64 */
      id: number;
      /**
       * Format: uuid
       * @description Its UUID, by which its pictures are requested
       */
      uuid: string;
      /** @description Its name in the wardrobe */
      name: string;
      /** @description Whether the arms are three pixels wide */
      slim: boolean;
      /** @description Whether it is wider than 64 pixels */
      hd: boolean;
      /** @description UUID of the linked cape, else "" */
      cloak_id: string;
      /** @description Whether its owner shows it */
      selected: boolean;
      /** @description SHA-256 of the stored file */
      sha256: string;
      /**
       * Format: int64
       * @description Upload time: Unix seconds
       */
      created: number;
    };
    /** @description The envelope of every answer of JSON */
    SkinEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Skin"];
    };
    /** @description The envelope of every answer of JSON */
    SkinListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Skin"][];
    };
    SkinLook: {
      /** Format: int64 */
      id: number;
      /** @description The owner's username */
      iss: string;
      /** @constant */
      action: "skin";
      /**
       * Format: int64
       * @description The owner's id
       */
      for: number;
      /**
       * Format: int64
       * @description Upload time: Unix seconds
       */
      time: number;
      /**
       * Format: uuid
       * @description Its UUID, by which its pictures are requested
       */
      uuid: string;
      /** @description Its name in the wardrobe */
      name: string;
      /** @description SHA-256 of the stored file */
      sha256: string;
      /**
       * Format: int64
       * @description Pixels
       */
      width: number;
      /**
       * Format: int64
       * @description Pixels
       */
      height: number;
      /** @description Whether the arms are three pixels wide */
      slim: boolean;
      /** @description Whether it is wider than 64 pixels */
      hd: boolean;
      /** @description UUID of the linked cape, else "" */
      cloak_id: string;
      /** @description Whether its owner shows it */
      selected: boolean;
      /** @description Skins of other users with the same bitmap, the newest first, 20 at most */
      others: components["schemas"]["SameSkin"][];
      /**
       * Format: int64
       * @description How many they are; counted up to 10000
       */
      others_total: number;
      /** @description The last 5 removals of the owner's skins by staff, the newest first */
      removals: components["schemas"]["SkinRemoval"][];
    };
    /** @description The envelope of every answer of JSON */
    SkinLookEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["SkinLook"];
    };
    SkinRemoval: {
      /**
       * Format: int64
       * @description Id of the audit entry
       */
      id: number;
      /**
       * Format: int64
       * @description Unix seconds
       */
      time: number;
      /** @description Who removed it */
      iss: string;
      /** @description What the skin was called */
      name: string;
      /** @description Why; empty for no reason */
      reason: string;
      /** @description Whether its bitmap was banned */
      ban: boolean;
    };
    /** @description Empty texts without a link */
    SocialAccount: {
      /** @description The person's id at the provider */
      userid: string;
      /** @description The person's name at the provider */
      username: string;
      /** @description Address of a picture, or empty */
      avatar: string;
    };
    SocialMeta: {
      /** @description The person's id at the provider, as it was answered */
      id: string | number;
      /**
       * Format: int64
       * @description The number that was answered with it
       */
      conn_id: number;
    };
    SocialSession: {
      /** @description The token of this session */
      jwt: string;
      /** @description The person's id at the provider */
      userid: string;
      /** @description The person's name at the provider */
      username: string;
      /** @description Address of a picture, or empty */
      avatar: string;
    };
    /** @description The envelope of every answer of JSON */
    SocialSessionEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["SocialSession"];
    };
    TakeCapeFromManyBody: {
      /** @description These users, by their ids; `owners:` and the UUID or id of another cape, those who hold that one now; or `everybody` with an account: a person who registers later is not concerned */
      who: string | number[];
      /**
       * Format: int64
       * @description Where this step begins: the `next` of the step before
       */
      after?: number;
    };
    TestMail: {
      /**
       * Format: int64
       * @description Its number in the outbox
       */
      id: number;
      /** @description The recipient */
      to: string;
    };
    /** @description The envelope of every answer of JSON */
    TestMailEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["TestMail"];
    };
    Token: {
      /** @description The token of this session */
      jwt: string;
    };
    /** @description The envelope of every answer of JSON */
    TokenEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["Token"];
    };
    UniSkinModels: {
      /** @description The id of the skin with classic arms */
      default?: string;
      /** @description The id of the skin with slim arms */
      slim?: string;
    };
    UniSkinProfile: {
      /** @description The player's name */
      player_name: string;
      /**
       * Format: int64
       * @description When the newest of the player, the skin and the cape was added, in Unix seconds
       */
      last_update: number;
      /** @description The player's UUID, without dashes */
      uuid: string;
      /** @description The player's arms */
      model_preference: ("slim" | "default")[];
      skins: components["schemas"]["UniSkinModels"];
      /** @description The id of the cape */
      cape?: string;
    };
    UnlinkSocialAccountBody: {
      /** @description Your current password */
      password: string;
    };
    UnlinkedPerson: {
      /** @description The person's id at the provider */
      id: string;
      /** @description The person's name at the provider */
      username: string;
      /** @description Address of a picture, or empty */
      avatar: string;
      /**
       * Format: int64
       * @description Allows to link or to create an account for this person, once, within ten minutes
       */
      conn_id: number;
    };
    UpdatePlayerBody: {
      /** @description The player's name */
      name?: string;
      /** @description UUID of a skin of the account's wardrobe; null or "" for none */
      skinid?: string | null;
      /** @description UUID of a cape that the account may wear; "none"; null or "" for the one that is linked to the skin */
      cloakid?: string | null;
      /** @description Whether others may wear the skin that it shows, too */
      shares_skin?: boolean;
      /** @description Another UUID, of version 1 to 5, that no player has */
      uuid?: string;
    };
    UpdateSkinBody: {
      /** @description The skin's UUID */
      skinid: string;
      /** @description Its name in the wardrobe, 1 to 64 characters */
      name?: string;
      /** @description Whether the arms are three pixels wide */
      slim?: boolean;
      /** @description UUID of a cape that the owner may wear; null or "" removes the cape */
      cloakid?: string | null;
    };
    UpdateUserBody: {
      /** @description Another name; the first one finishes an unfinished registration */
      username?: string;
      /**
       * Format: email
       * @description Another address, which counts as unverified unless mail_verify says otherwise
       */
      mail?: string;
      /** @description Whether the address is verified */
      mail_verify?: boolean;
      /** @description UUID of one of the user's skins; "" selects no skin */
      selected_skin?: string;
      /** @description Another password, 8 to 128 characters */
      password?: string;
      /**
       * @description The permanent level; a temporary level stays in force until it ends
       * @enum {integer}
       */
      perms?: 1 | 2 | 3;
      /** @description False unlinks the social account, true changes nothing */
      dsid?: boolean;
      /** @description The same as mail_verify */
      mail_verification?: boolean;
      /** @description How many players the user may make; null: as many as the setting PLAYERS_MAX says */
      players_max?: number | null;
    };
    UploadCapeBody: {
      /**
       * Format: binary
       * @description A PNG file
       */
      cape: string;
      /** @description Its name, for its owners, 1 to 64 characters */
      name: string;
      /** @description Ids of the users that may wear it, 10000 at most: separated by commas (`17, 18`), or a JSON array (`[17, 18]`). No user when empty */
      owners?: string;
      /** @description When their right to wear it ends: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds). Never when empty */
      expired_at?: string;
    };
    UploadGravitCapeBody: {
      /** @description JSON: `{"modelSlim": true}` for slim arms, `{}` for others and for capes */
      options?: string;
      /**
       * Format: binary
       * @description A PNG file
       */
      file: string;
    };
    UploadGravitSkinBody: {
      /** @description JSON: `{"modelSlim": true}` for slim arms, `{}` for others and for capes */
      options?: string;
      /**
       * Format: binary
       * @description A PNG file
       */
      file: string;
    };
    UploadSkinBody: {
      /**
       * Format: binary
       * @description A PNG file
       */
      skin: string;
      /**
       * @description Whether the arms are three pixels wide; detected from the pixels when absent
       * @enum {string}
       */
      slim?: "true" | "false";
      /** @description Its name in the wardrobe, 1 to 64 characters */
      name?: string;
    };
    User: {
      /** Format: int64 */
      id: number;
      /** @description Empty before registration is finished: "" */
      username: string;
      /** @description Id at the social provider, "" when not linked */
      dsid: string;
      /** @description Empty for an account without one: "" */
      mail: string;
      /**
       * @description 1 when the mail address is verified
       * @enum {integer}
       */
      mail_verify: 0 | 1;
      /**
       * Format: uuid
       * @description The player's UUID, by which its pictures are requested
       */
      uuid: string;
      /** @constant */
      password: "[redacted]";
      /**
       * Format: int64
       * @description The level in force: 1 player, 2 moderator, 3 administrator
       */
      perms: number;
      accessToken: string | null;
      serverID: string | null;
      hwidId: string | null;
      /**
       * Format: int64
       * @description The permanent level
       */
      perms_permanent: number;
      /**
       * Format: int64
       * @description When the level in force ends and the permanent one holds again: Unix seconds; null: never
       */
      perms_expires_at: number | null;
      /**
       * Format: int64
       * @description When it was made: Unix seconds
       */
      created: number;
      /**
       * Format: int64
       * @description When they were last seen, by which `order=seen` sorts: Unix seconds, ten minutes old at most; null: never
       */
      last_seen: number | null;
    };
    UserCape: {
      /** @description The cape's number, as a text */
      Id: string;
      /** @description Its name, for its owners */
      Name: string;
      /**
       * Format: uuid
       * @description The cape's UUID
       */
      Uuid: string;
      /**
       * Format: int64
       * @description When the user's right to wear it ends: Unix seconds; null: never
       */
      Expires_at: number | null;
    };
    UserDetail: {
      /** Format: int64 */
      Id: number;
      /** @description Empty before registration is finished: "" */
      Username: string;
      /**
       * Format: uuid
       * @description The player's UUID, by which its pictures are requested
       */
      Uuid: string;
      /** @description Empty for an account without one: "" */
      Mail: string;
      /**
       * @description 1 when the mail address is verified
       * @enum {integer}
       */
      Mail_verify: 0 | 1;
      /**
       * Format: int64
       * @description Number of the cape that the main player shows, else 0
       */
      Selected_Cape: number;
      /** @description UUID of the selected skin, else "" */
      Selected_Skin: string;
      /**
       * Format: int64
       * @description The level in force: 1 player, 2 moderator, 3 administrator
       */
      PermLvl: number;
      /**
       * Format: int64
       * @description The permanent level
       */
      perms_permanent: number;
      /**
       * Format: int64
       * @description When the level in force ends and the permanent one holds again: Unix seconds; null: never
       */
      perms_expires_at: number | null;
      /** @description Capes that the user may wear */
      Capes: components["schemas"]["UserCape"][];
      /** @description The user's wardrobe */
      Skins: components["schemas"]["UserSkin"][];
      /** @description Whether a social account is linked */
      Social_integration: boolean;
      Social: components["schemas"]["SocialAccount"];
      /**
       * @description 1 when the mail address is verified
       * @enum {integer}
       */
      Mail_verification: 0 | 1;
      /**
       * Format: int64
       * @description When it was made: Unix seconds
       */
      Created: number;
      /**
       * Format: int64
       * @description When a session of the user was last used: Unix seconds, to the minute; null: never
       */
      last_seen: number | null;
      /**
       * Format: int64
       * @description How many players the user may make; null: as many as the setting PLAYERS_MAX says
       */
      players_max: number | null;
    };
    /** @description The envelope of every answer of JSON */
    UserDetailEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["UserDetail"];
    };
    /** @description The envelope of every answer of JSON */
    UserListEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["User"][];
    };
    UserSkin: {
      /**
       * Format: uuid
       * @description Its UUID, by which its pictures are requested
       */
      uuid: string;
      /** @description Its name in the wardrobe */
      name: string;
      /** @description UUID of the linked cape, else "" */
      cloak_id: string;
      /** @description Whether the arms are three pixels wide */
      slim: boolean;
      /** @description Whether it is wider than 64 pixels */
      hd: boolean;
      /** @description Whether its owner shows it */
      selected: boolean;
    };
    ValidateGameTokenBody: {
      /** @description The token of the game session */
      accessToken: string;
      /** @description What the launcher calls itself; it comes back as it is */
      clientToken?: string | null;
    };
    WaitingPerson: {
      /** @description Where the person signed in */
      provider: string;
      /** @description The person's name there */
      username: string;
    };
    /** @description The envelope of every answer of JSON */
    WaitingPersonEnvelope: {
      error: boolean;
      /** @description What happened, for people to read */
      msg: string;
      /** @description The next step, where there is one */
      url: string | null;
      data: components["schemas"]["WaitingPerson"] | null;
    };
    WearActiveCapeBody: {
      /** @description The cape's UUID, as the profile has it */
      capeId: string;
    };
    YggdrasilFailure: {
      /** @description The kind of failure */
      error: string;
      /** @description What is wrong, for people to read */
      errorMessage: string;
    };
    YggdrasilMetadata: {
      meta: {
        serverName: string;
        implementationName: string;
        implementationVersion: string;
        links: {
          homepage: string;
          register: string;
        };
        /** @constant */
        "feature.non_email_login": true;
        /** @constant */
        "feature.legacy_skin_api": true;
        /** @constant */
        "feature.enable_profile_key": true;
      };
      /** @description Hosts of textures; one that begins with a dot stands for all names below it */
      skinDomains: string[];
      /** @description PEM */
      signaturePublickey: string;
    };
    YggdrasilProfile: {
      /** @description A UUID without dashes */
      id: string;
      /** @description The player's name */
      name: string;
    };
    YggdrasilProfileList: components["schemas"]["YggdrasilProfile"][];
    YggdrasilSession: {
      /** @description The token of the game session */
      accessToken: string;
      /** @description What the launcher calls itself; it comes back as it is */
      clientToken: string;
      /** @description The account's players */
      availableProfiles: components["schemas"]["YggdrasilProfile"][];
      selectedProfile?: components["schemas"]["YggdrasilProfile"];
      user?: components["schemas"]["YggdrasilUser"];
    };
    YggdrasilUser: {
      /** @description A UUID without dashes */
      id: string;
      /** @description Always empty */
      properties: Record<string, never>[];
    };
    /** @description The envelope of every failure. */
    Failure: {
      /** @constant */
      error: true;
      /** @description What is wrong, for people to read. */
      msg: string;
      /** @description Always null. */
      url: string | null;
      data: Record<string, never>;
    };
  };
  responses: {
    /** @description The request breaks a rule; `msg` names the field and the rule. */
    invalid: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description The number by which the operator finds the cause in the log. Missing when nothing was logged. */
        "X-Request-Id"?: string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The request has no token, or none that is valid. */
    unauthenticated: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description This account may not do that; `msg` says why. */
    forbidden: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description There is none. */
    not_found: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description Where launchers find Yggdrasil; on pages and 404s, while it is on. Without `PUBLIC_URL` it is a path. */
        "X-Authlib-Injector-API-Location"?: string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description Conflicts with existing data; `msg` says which. */
    conflict: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description The number by which the operator finds the cause in the log. Missing when nothing was logged. */
        "X-Request-Id"?: string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The body took too long to arrive; the connection is closed. */
    too_slow: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The body is larger than this address takes. */
    too_large: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The body's `Content-Type` is not the one that this address takes. */
    unsupported_type: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description Too many requests, from you or altogether. Try again after `Retry-After`. */
    limited: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description Seconds after which another attempt may succeed. */
        "Retry-After": number;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description A fault of the server. The operator finds its cause by the number in `msg`. */
    internal: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description The number by which the operator finds the cause in the log. */
        "X-Request-Id": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description Another service that is needed here fails. The operator finds the cause by `X-Request-Id`. */
    upstream: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description The number by which the operator finds the cause in the log. */
        "X-Request-Id": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The database or the store of textures cannot be reached. Try again after `Retry-After`. */
    unavailable: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description Seconds after which another attempt may succeed. */
        "Retry-After": number;
        /** @description The number by which the operator finds the cause in the log. Missing when nothing was logged. */
        "X-Request-Id"?: string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The server's disk is full; nothing was changed. */
    no_space: {
      headers: {
        /** @description How long the answer may be kept. */
        "Cache-Control": string;
        /** @description The number by which the operator finds the cause in the log. */
        "X-Request-Id": string;
        [name: string]: unknown;
      };
      content: {
        "application/json": components["schemas"]["Failure"];
      };
    };
    /** @description The request's head is larger than 16 KiB or has more than 198 lines. The connection is closed. */
    head_too_large: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  signIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SignInBody"];
      };
    };
    responses: {
      /** @description Login successful */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenEnvelope"];
        };
      };
    };
  };
  signOut: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Logout successful */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  register: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RegisterBody"];
      };
    };
    responses: {
      /** @description A code was mailed to the address */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  confirmMail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmMailBody"];
      };
    };
    responses: {
      /** @description Mail address confirmed */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  requestPasswordReset: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestPasswordResetBody"];
      };
    };
    responses: {
      /** @description A code was mailed to the address */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  checkResetCode: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CheckResetCodeBody"];
      };
    };
    responses: {
      /** @description The code is good */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  resetPassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ResetPasswordBody"];
      };
    };
    responses: {
      /** @description Password set */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  linkSocialAccount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LinkSocialAccountBody"];
      };
    };
    responses: {
      /** @description Accounts linked */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SocialSessionEnvelope"];
        };
      };
    };
  };
  registerWithSocialAccount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RegisterWithSocialAccountBody"];
      };
    };
    responses: {
      /** @description Account created */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenEnvelope"];
        };
      };
    };
  };
  getHomeProfile: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Home profile */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["HomeProfileEnvelope"];
        };
      };
    };
  };
  finishRegistration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["FinishRegistrationBody"];
      };
    };
    responses: {
      /** @description Registration finished */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  changeUsername: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeUsernameBody"];
      };
    };
    responses: {
      /** @description Username change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePasswordBody"];
      };
    };
    responses: {
      /** @description Password change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  requestMailChange: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestMailChangeBody"];
      };
    };
    responses: {
      /** @description Mail change request successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  confirmMailChange: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmMailChangeBody"];
      };
    };
    responses: {
      /** @description Mail change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  changeLanguage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangeLanguageBody"];
      };
    };
    responses: {
      /** @description Language change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  unlinkSocialAccount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UnlinkSocialAccountBody"];
      };
    };
    responses: {
      /** @description Social link removal successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  listPlayers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Players */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlayerListEnvelope"];
        };
      };
    };
  };
  createPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreatePlayerBody"];
      };
    };
    responses: {
      /** @description Player creation successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Where to go, or the address of the new resource. */
          Location: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlayerEnvelope"];
        };
      };
    };
  };
  deletePlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A player's UUID */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeletePlayerBody"];
      };
    };
    responses: {
      /** @description The player is gone */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  changePlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A player's UUID */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePlayerBody"];
      };
    };
    responses: {
      /** @description Player change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlayerEnvelope"];
        };
      };
    };
  };
  listSessions: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Sessions */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionListEnvelope"];
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A session's id, from the list of them */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  uploadSkin: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["UploadSkinBody"];
      };
    };
    responses: {
      /** @description Skin upload successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Where to go, or the address of the new resource. */
          Location: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  updateSkin: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateSkinBody"];
      };
    };
    responses: {
      /** @description Skin change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  deleteSkin: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeleteSkinBody"];
      };
    };
    responses: {
      /** @description The skin is gone */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  selectSkin: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SelectSkinBody"];
      };
    };
    responses: {
      /** @description Skin selection successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  copySkin: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CopySkinBody"];
      };
    };
    responses: {
      /** @description Skin copy successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Where to go, or the address of the new resource. */
          Location: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  getOverview: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Overview */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OverviewEnvelope"];
        };
      };
    };
  };
  getInstallation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Installation */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["InstallationEnvelope"];
        };
      };
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen, or what `Link` has: the page begins after it */
        after?: number | string;
        /** @description The search: a part of three characters or more (two Chinese, Japanese or Korean ones), in any case, or a whole id, UUID or username */
        q?: string;
        /** @description How far what a search or filter finds is counted: `X-Total-Count` is no higher, and less is counted sooner */
        count?: number;
        /** @description `newest`: the highest id comes first; `name`: by username, users without one at the end; `seen`: the last seen first, those never seen at the end. With the last two `after` is the value that `Link` has: an id, and after a comma the name or time */
        order?: "oldest" | "newest" | "name" | "seen";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Users */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserListEnvelope"];
        };
      };
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description User */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserDetailEnvelope"];
        };
      };
    };
  };
  deleteUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description User deletion successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateUserBody"];
      };
    };
    responses: {
      /** @description User change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserDetailEnvelope"];
        };
      };
    };
  };
  setUserRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetUserRoleBody"];
      };
    };
    responses: {
      /** @description Role change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoleAssignmentEnvelope"];
        };
      };
    };
  };
  listUserPlayers: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Players */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlayerListEnvelope"];
        };
      };
    };
  };
  createUserPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateUserPlayerBody"];
      };
    };
    responses: {
      /** @description Player creation successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Where to go, or the address of the new resource. */
          Location: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlayerEnvelope"];
        };
      };
    };
  };
  removePlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A player's UUID */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The player is gone */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  updatePlayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A player's UUID */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdatePlayerBody"];
      };
    };
    responses: {
      /** @description Player change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlayerEnvelope"];
        };
      };
    };
  };
  listUserSessions: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: string;
      };
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Sessions */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionListEnvelope"];
        };
      };
    };
  };
  endUserSessions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sessions have ended */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  endUserSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
        /** @description A session's id, from the list of them */
        sid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listSkins: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: number;
        /** @description The search: a part of three characters or more (two Chinese, Japanese or Korean ones), in any case, or a whole id, UUID or username */
        q?: string;
        /** @description How far what a search or filter finds is counted: `X-Total-Count` is no higher, and less is counted sooner */
        count?: number;
        /** @description `newest`: the highest id comes first */
        order?: "oldest" | "newest";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Skins */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListedSkinListEnvelope"];
        };
      };
    };
  };
  listUserSkins: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's UUID */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Skins */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SkinListEnvelope"];
        };
      };
    };
  };
  lookAtSkin: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A skin's UUID */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Skin */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SkinLookEnvelope"];
        };
      };
    };
  };
  removeSkin: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A skin's UUID */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RemoveSkinBody"];
      };
    };
    responses: {
      /** @description The skin is gone */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  moderateSkin: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A skin's UUID */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ModerateSkinBody"];
      };
    };
    responses: {
      /** @description Skin change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SkinEnvelope"];
        };
      };
    };
  };
  listBans: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: number;
        /** @description The search: a part of three characters or more (two Chinese, Japanese or Korean ones), in any case, or a whole id, UUID or username */
        q?: string;
        /** @description How far what a search or filter finds is counted: `X-Total-Count` is no higher, and less is counted sooner */
        count?: number;
        /** @description `newest`: the highest id comes first */
        order?: "oldest" | "newest";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Bans */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BanListEnvelope"];
        };
      };
    };
  };
  liftBan: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description 64 lower-case hex digits */
        hash: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The ban is lifted */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listCapes: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: number;
        /** @description The search: a part of three characters or more (two Chinese, Japanese or Korean ones), in any case, or a whole id, UUID or username */
        q?: string;
        /** @description How far what a search or filter finds is counted: `X-Total-Count` is no higher, and less is counted sooner */
        count?: number;
        /** @description `newest`: the highest id comes first */
        order?: "oldest" | "newest";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Capes */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ListedCapeListEnvelope"];
        };
      };
    };
  };
  uploadCape: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["UploadCapeBody"];
      };
    };
    responses: {
      /** @description Cape upload successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Where to go, or the address of the new resource. */
          Location: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapeEnvelope"];
        };
      };
    };
  };
  deleteCape: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeleteCapeBody"];
      };
    };
    responses: {
      /** @description Cape deletion successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  setUserCapes: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A user's id, UUID, username or mail address */
        identifier: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetUserCapesBody"];
      };
    };
    responses: {
      /** @description Cape change successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapeGrantsEnvelope"];
        };
      };
    };
  };
  listCapeOwners: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: number;
      };
      header?: never;
      path: {
        /** @description The cape's UUID or id */
        cape: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Owners */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapeOwnerListEnvelope"];
        };
      };
    };
  };
  giveCapeToMany: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The cape's UUID or id */
        cape: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GiveCapeToManyBody"];
      };
    };
    responses: {
      /** @description Giving successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapeOwnersStepEnvelope"];
        };
      };
    };
  };
  takeCapeFromMany: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The cape's UUID or id */
        cape: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TakeCapeFromManyBody"];
      };
    };
    responses: {
      /** @description Taking successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CapeOwnersStepEnvelope"];
        };
      };
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: number;
        /** @description The search: a part of three characters or more (two Chinese, Japanese or Korean ones), in any case, or a whole id, UUID or username */
        q?: string;
        /** @description How far what a search or filter finds is counted: `X-Total-Count` is no higher, and less is counted sooner */
        count?: number;
        /** @description Id of the user that they concern */
        for?: number;
        /** @description Id of the user who made the change, whatever their name was */
        by?: number;
        /** @description Who made the change, exactly as it is written */
        iss?: string;
        /** @description What was done, exactly as it is written */
        action?: string;
        /** @description The first second: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds) */
        since?: string | number;
        /** @description The last second: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds) */
        until?: string | number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Audit */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditEntryListEnvelope"];
        };
      };
    };
  };
  verifyAuditChain: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Audit chain */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditChainEnvelope"];
        };
      };
    };
  };
  exportAudit: {
    parameters: {
      query?: {
        /** @description `csv` for spreadsheets, or `jsonl`: lines of JSON with the hashes of the chain */
        format?: "csv" | "jsonl";
        /** @description The search: a part of three characters or more (two Chinese, Japanese or Korean ones), in any case, or a whole id, UUID or username */
        q?: string;
        /** @description Id of the user that they concern */
        for?: number;
        /** @description Id of the user who made the change, whatever their name was */
        by?: number;
        /** @description Who made the change, exactly as it is written */
        iss?: string;
        /** @description What was done, exactly as it is written */
        action?: string;
        /** @description The first second: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds) */
        since?: string | number;
        /** @description The last second: ISO 8601 with a zone, or Unix seconds (over 10^11: milliseconds) */
        until?: string | number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description A browser keeps it as a file of this name. */
          "Content-Disposition": string;
          [name: string]: unknown;
        };
        content: {
          "text/csv": string;
          "application/x-ndjson": string;
        };
      };
    };
  };
  listMailings: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Mails to everybody */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MailingListEnvelope"];
        };
      };
    };
  };
  sendBulkMail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SendBulkMailBody"];
      };
    };
    responses: {
      /** @description The mails are on their way */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description The number of addresses that it goes to. */
          "X-Mails-Queued": number;
          /** @description The number of the mail to everybody, as `GET /api/admin/mail` lists it. */
          "X-Mailing": number;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MailsQueued"];
        };
      };
    };
  };
  previewBulkMail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PreviewBulkMailBody"];
      };
    };
    responses: {
      /** @description Preview */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MailPreviewEnvelope"];
        };
      };
    };
  };
  sendTrialMail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SendTrialMailBody"];
      };
    };
    responses: {
      /** @description Mail to yourself queued */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TestMailEnvelope"];
        };
      };
    };
  };
  listOutbox: {
    parameters: {
      query?: {
        /** @description Rows of the page */
        limit?: number;
        /** @description The id of the last row seen: the page begins after it */
        after?: number;
        /** @description Only mails in this state */
        state?: "waiting" | "failed";
        /** @description Only copies of the mail to everybody with this number; without it, no copies but those that failed */
        mailing?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Outbox */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Rows of all pages together; the rows that a search or filter finds are counted to 100000, or to `count`. */
          "X-Total-Count": number;
          /** @description The next page, as `<…>; rel="next"`; missing on the last one. */
          Link?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OutboxMailListEnvelope"];
        };
      };
    };
  };
  getOutboxMail: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The mail's number */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Mail */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OutboxMailEnvelope"];
        };
      };
    };
  };
  retryMail: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The mail's number */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Mail retry successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OutboxMailEnvelope"];
        };
      };
    };
  };
  sendTestMail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SendTestMailBody"];
      };
    };
    responses: {
      /** @description Test mail queued */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TestMailEnvelope"];
        };
      };
    };
  };
  listServiceTokens: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Service tokens */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ServiceTokenListEnvelope"];
        };
      };
    };
  };
  createServiceToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateServiceTokenBody"];
      };
    };
    responses: {
      /** @description Service token creation successfully */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewServiceTokenEnvelope"];
        };
      };
    };
  };
  revokeServiceToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The service's name; the audit calls it service:<name> */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The token is worth nothing any more */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getLauncherTextures: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A player's UUID; the name of one is taken, too */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the player shows */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Names the bytes. Send it as `If-None-Match` to get 304 while they are the same. */
          ETag: string;
          /** @description Any web page may show it. */
          "Access-Control-Allow-Origin": "*";
          /** @description Browsers must not guess another type. */
          "X-Content-Type-Options": "nosniff";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LauncherTextures"];
        };
      };
    };
  };
  getPlayerTextures: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A player's UUID; the name of one is taken, too */
        uuid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What the player shows */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Names the bytes. Send it as `If-None-Match` to get 304 while they are the same. */
          ETag: string;
          /** @description Any web page may show it. */
          "Access-Control-Allow-Origin": "*";
          /** @description Browsers must not guess another type. */
          "X-Content-Type-Options": "nosniff";
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlayerTexturesEnvelope"];
        };
      };
    };
  };
  getCommunity: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The community */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CommunityEnvelope"];
        };
      };
    };
  };
  getVisitor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Session */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Ties a sign-in to this browser, or ends that. */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConsoleVisitEnvelope"];
        };
      };
    };
  };
  signInToConsole: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SignInToConsoleBody"];
      };
    };
    responses: {
      /** @description Login successful */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Ties a sign-in to this browser, or ends that. */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConsoleSessionEnvelope"];
        };
      };
    };
  };
  signOutOfConsole: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Signed out */
      204: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Ties a sign-in to this browser, or ends that. */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  registerInConsole: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RegisterInConsoleBody"];
      };
    };
    responses: {
      /** @description A code was mailed to the address */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Envelope"];
        };
      };
    };
  };
  findCodeAddress: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["FindCodeAddressBody"];
      };
    };
    responses: {
      /** @description Address */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CodeAddressEnvelope"];
        };
      };
    };
  };
  confirmInConsole: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmInConsoleBody"];
      };
    };
    responses: {
      /** @description The address is confirmed */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Ties a sign-in to this browser, or ends that. */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConsoleVisitEnvelope"];
        };
      };
    };
  };
  setUp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetUpBody"];
      };
    };
    responses: {
      /** @description The administrator was made */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Ties a sign-in to this browser, or ends that. */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConsoleSessionEnvelope"];
        };
      };
    };
  };
  getWaitingPerson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Person */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Ties a sign-in to this browser, or ends that. */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WaitingPersonEnvelope"];
        };
      };
    };
  };
  joinPerson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["JoinPersonBody"];
      };
    };
    responses: {
      /** @description Accounts linked */
      200: {
        headers: {
          /** @description How long the answer may be kept. */
          "Cache-Control": string;
          /** @description Ties a sign-in to this browser, or ends that. */
          "Set-Cookie"?: string;
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConsoleSessionEnvelope"];
        };
      };
    };
  };
}

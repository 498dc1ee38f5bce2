/**
 * Bounds that no setting changes, each with the reason for its number. Bounds that operators set are in
 * `boot/config.ts`.
 */
export const limits = {
  /**
   * No identifier of ours is longer: the longest, a mail address, has 254 characters (RFC 5321 4.5.3.1.3).
   */
  identifierLengthMax: 254,
  /** Names are truncated to this length before an operator's pattern is tried on them. */
  usernameLengthMax: 64,
  /** A stored texture's file: the settings allow uploads of at most 64 MiB. */
  storedTextureBytesMax: 128 * 1024 * 1024,
  /** Settings, keys and texts that operators write by hand, all of which are far smaller. */
  operatorFileBytesMax: 1024 * 1024,
  /** Longer names break lists and menus. */
  textureNameLengthMax: 64,
  /** Why staff removed or banned a texture: a few sentences, which are mailed and listed. */
  reasonLengthMax: 500,
  /**
   * How old a sign-in may be that opens what a stolen session must not: a person who was asked for the
   * password is still there.
   */
  freshSignInSeconds: 15 * 60,
  /** Characters after NFC (docs/contract/auth.md#passwords). */
  passwordLengthMin: 8,
  passwordLengthMax: 128,
  /** JSON of a few fields: two passwords of 128 characters, each escaped as two times six, are 3 KiB. */
  jsonBytesMax: 8 * 1024,
  /** JSON of a bulk mail: 20,000 characters, each escaped as two times six. */
  mailJsonBytesMax: 256 * 1024,
  /** JSON of a list of 10,000 UUIDs, each on its own line. */
  idsJsonBytesMax: 512 * 1024,
  /**
   * The shape of JSON. The contract has two levels and ten fields; clients send additional fields as well.
   */
  jsonLevelsMax: 8,
  jsonFieldsMax: 100,
  jsonValuesMax: 500,
  /** Values of a list of 10,000 ids, each of which may be an object of two fields. */
  idsJsonValuesMax: 40_000,
  /** Multipart headers and the small text parts beside the file. */
  multipartOverheadBytes: 16 * 1024,
  /** Parts of a form. The contract's largest has three; pages send all fields that they have. */
  formPartsMax: 64,
  /**
   * How long a body may take to arrive: this long, plus what a slow line takes for the largest allowed body.
   */
  bodySeconds: 30,
  bodyBytesPerSecondMin: 32 * 1024,
  /**
   * Pieces in which a body in chunks may come: so many, and one more for each 64 bytes. Programs send
   * kilobytes at a time; a piece costs some half a microsecond to a microsecond, so these cost a millisecond.
   */
  bodyPiecesMax: 1000,
  bodyPieceBytesMin: 64,
  /**
   * How much of a refused body is still read, because most clients read the answer only after they have sent
   * everything. For chunked bodies it is less: they pass through our own code.
   */
  unwantedBytesMax: 16 * 1024 * 1024,
  unwantedChunkedBytesMax: 2 * 1024 * 1024,
  /**
   * How much more a customer's complete IPv6 network, or whatever else holds many clients, may have than one
   * client: a school has several of them, an attacker uses all 65,536.
   */
  siteShare: 4,
  /**
   * Uploads of one account: while one is processed, the next may arrive. Each is in memory until its answer.
   */
  uploadsAtOnceMax: 2,
  /**
   * Changes of one account under way: the second is prepared while the first is written. A page sends a few
   * at once, a script of staff a hundred; at 200 a second the last of those that may wait has waited for a
   * second.
   */
  writesOfOne: { atOnceMax: 2, waitingMax: 200, waitSecondsMax: 3 },
  /** Changes of a service, or of a client without a session: behind both may be many people. */
  writesOfMany: { atOnceMax: 8, waitingMax: 1000, waitSecondsMax: 3 },
  /** A connection without traffic is closed after this time, also while its answer is prepared. */
  idleSeconds: 60,
  /**
   * How long answers are given in one turn of the event loop: some hundred from memory. Timers and all others
   * wait for its end.
   */
  turnMilliseconds: 5,
  /** Requests that wait for the next turn: connections allow one each, at some 3 kB. */
  requestsWaitingMax: 10_000,
  /**
   * Lines of requests of one route and status in a second. A busy server has fewer for months; the rest is
   * counted.
   */
  requestLinesMax: 200,
  /** How long work may wait in a queue, however long the work before it was expected to take, … */
  queueSecondsMax: 10,
  /** … and how long it may run in a thread. The longest picture takes some seconds on a busy core. */
  taskSecondsMax: 30,
  /** Pictures: pixels of the edge that `size` names (docs/contract/delivery.md#pictures). */
  pictureSizeMin: 8,
  /** A flat face is one texel a pixel or less: small ones are wanted for lists. */
  faceSizeMin: 1,
  pictureSizeMax: 1024,
  /** A session lasts a day (docs/contract/auth.md#tokens). */
  sessionSeconds: 24 * 60 * 60,
  /** A person who stays signed in to the console signs in again after a month, or after two weeks away. */
  stayingSessionSeconds: 30 * 24 * 60 * 60,
  stayingIdleSeconds: 14 * 24 * 60 * 60,
  /** A moderator's browser that is left alone: longer than a meal, shorter than an evening. */
  staffIdleSeconds: 2 * 60 * 60,
  /** A launcher's token lasts a month, in the second half of which it can only be exchanged for a new one. */
  gameSessionSeconds: 30 * 24 * 60 * 60,
  gameSessionFreshSeconds: 15 * 24 * 60 * 60,
  /**
   * Sessions of the website and the console of one account: a program that signs in at each start, for weeks.
   * The oldest beyond that end.
   */
  webSessionsMax: 100,
  /**
   * Game sessions of one account: several machines, each with several launchers. The oldest beyond that end.
   */
  gameSessionsMax: 10,
  /** What a launcher calls itself at a sign-in; most send a UUID. */
  clientTokenLengthMax: 512,
  /** How long a game server may take to ask for a player who joins it: a second, mostly. */
  joinSeconds: 30,
  /** Players who join within that time, at some 300 bytes each. */
  joinsMax: 50_000,
  /** JSON of launchers and games, which send lists of names and fields of their own. */
  protocolJsonBytesMax: 64 * 1024,
  /**
   * How long an account with an unconfirmed address is kept: a week's holiday, 300 times as long as a code.
   */
  unconfirmedSeconds: 7 * 24 * 60 * 60,
  /** A mailed code lasts half an hour (docs/contract/auth.md#codes). */
  codeSeconds: 30 * 60,
  /** A code that an operator hands out reaches its person by whatever way they meet: a month. */
  claimSeconds: 30 * 24 * 60 * 60,
  /** Old names of one account that a list shows: where an import joined accounts, one for each. */
  aliasesShownMax: 1000,
  /** Codes that one transaction makes, about 10 ms of a connection. */
  claimsAtOnce: 500,
  /**
   * Clocks are often set back by moments. A time further in the future than this comes from before a larger
   * step back, and would make its row live too long.
   */
  clockStepSeconds: 60,
  /**
   * A file of an upload under way, which no row names yet, is minutes old at most. An older one was left by a
   * killed process.
   */
  uploadSecondsMax: 60 * 60,
  /** How much of a client's user agent is stored. */
  userAgentLengthMax: 256,
  /**
   * Memory of complete answers beside the bytes of pictures: 20,000 pictures of players, at some 2.4 kB each.
   */
  responseCacheBytesMax: 48 * 1024 * 1024,
  /** Memory of answers to members: of 2,000 who ask again before anything is committed. */
  memberAnswersBytesMax: 8 * 1024 * 1024,
  /**
   * Signed profiles in memory, of some 2.5 kB each: 20 MB. Another one costs a signature, 5 ms beside the
   * event loop.
   */
  signedProfilesMax: 8192,
  /**
   * Certificates in memory, of some 4 kB each: 16 MB. To make as many takes minutes, so no player gets two in
   * one minute.
   */
  certificatesMax: 4096,
  /** A use of a session is written to its account if the last one there is older than this. */
  lastSeenSeconds: 10 * 60,
  /** Rows of a list page (docs/contract/answers.md#lists). */
  pageRowsMax: 1000,
  /**
   * What a search or filter of a list finds, and mails that wait or failed, are counted up to this number,
   * which is reported beyond it. Counting takes the database 6 ms for three letters, some 60 ms for twenty;
   * `count` asks for less.
   */
  countedMax: 100_000,
  /** Skins with one bitmap that staff's look at a skin counts: some 2 ms. */
  sameTextureMax: 10_000,
  /** Service tokens, each of which is compared at every request of a service: a hundred take some 0.1 ms. */
  serviceTokensMax: 100,
  /**
   * How long events are kept, and how many: what a service that was away may catch up on, some 40 MB at most.
   */
  eventSeconds: 24 * 60 * 60,
  eventsKeptMax: 100_000,
  /** Streams of events that are open at once. */
  eventStreamsMax: 64,
  /** Days that the overview shows, and that are counted. */
  daysShown: 14,
  /** How old a readiness check may be, so that frequent probes cause no frequent writes. */
  readinessSeconds: 1,
  /** How long an answer about readiness waits for a look, which mostly takes some milliseconds, … */
  readinessWaitMs: 50,
  /** … while the last one is no older than this: balancers ask every few seconds. */
  readinessKnownSeconds: 15,
  /** How long a readiness probe waits for a write. */
  probeSeconds: 2,
  /** Room for the write-ahead log and for as many textures as may be on their way at once. */
  diskBytesFreeMin: 64 * 1024 * 1024,
  /** A personal mail that has not left by then was deferred three times. */
  mailWaitSecondsMax: 15 * 60,
  /** Names that one account keeps after a rename: enough to go back, too few to hoard. */
  heldNamesMax: 3,
  /** Players that a setting or an administrator lets an account's owner make; staff make more. */
  ownPlayersMax: 100,
  /** Players of one account, also those that staff add: answers list them all. */
  playersMax: 1000,
  /** Skins of one account that an import brings: a wardrobe is answered as a whole. */
  importSkinsMax: 10_000,
  /** Ids in one request: owners of a cape, capes of an owner. */
  idsMax: 10_000,
  /** The same number of ids as form text: up to 15 digits, a comma, a space and quotes each. */
  idsTextBytesMax: 256 * 1024,
  /** Owners of a cape that a list of capes shows. */
  ownersShownMax: 1000,
  /**
   * People that one request gives a cape, or takes it from: some 50 ms of the write lock. The next request
   * goes on.
   */
  ownersChangedMax: 200,
  /**
   * Accounts of an import that one transaction writes: some 50 ms, and never more than a fifth of a second.
   */
  importAccountsMax: 500,
  /** Bitmaps whose files one transaction of an import names, which were stored before it. */
  importTexturesMax: 256,
  /** Files of an import that are stored at the same time. */
  importFilesAtOnce: 8,
  /** How long a run of an import that was killed keeps others away. */
  importLeaseSeconds: 20,
} as const;

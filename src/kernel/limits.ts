/** Bounds that no setting changes, each with the reason for its number. Bounds that operators set live in `boot/config.ts`. */
export const limits = {
  /** Anything that is longer is no identifier of ours: the longest, a mail address, has 254 (RFC 5321 4.5.3.1.3). */
  identifierLengthMax: 254,
  /** Names are cut off here before a pattern that an operator wrote is tried on them. */
  usernameLengthMax: 64,
  /** A stored texture's file: a setting allows uploads of 64 MiB at most. */
  storedTextureBytesMax: 128 * 1024 * 1024,
  /** Settings, keys and texts that operators write by hand: none of them is nearly as long. */
  operatorFileBytesMax: 1024 * 1024,
  /** Shown in lists and menus; longer ones break every layout. */
  textureNameLengthMax: 64,
  /** Why staff removed or banned a texture: a few sentences, which are mailed and listed. */
  reasonLengthMax: 500,
  /** Characters after NFC (decisions, Accounts). */
  passwordLengthMin: 8,
  passwordLengthMax: 128,
  /** JSON of a few fields: two passwords of 128 characters, each escaped as two times six, are 3 KiB. */
  jsonBytesMax: 8 * 1024,
  /** JSON of a mail to everybody: 20,000 characters, each escaped as two times six. */
  mailJsonBytesMax: 256 * 1024,
  /** JSON of a list of 10,000 UUIDs, each on a line of its own. */
  idsJsonBytesMax: 512 * 1024,
  /** The shape of JSON. The contract has two levels and ten fields; clients send fields of their own as well. */
  jsonLevelsMax: 8,
  jsonFieldsMax: 100,
  jsonValuesMax: 500,
  /** Values of a list of 10,000 ids, each of which may be an object of two fields. */
  idsJsonValuesMax: 40_000,
  /** Multipart headings and the small text parts beside the file. */
  multipartOverheadBytes: 16 * 1024,
  /** Parts of a form. The contract's largest has three, and pages send all fields that they have. */
  formPartsMax: 64,
  /** How long a body may take to arrive: this long, and as long again as a slow line takes for the most that is allowed. */
  bodySeconds: 30,
  bodyBytesPerSecondMin: 32 * 1024,
  /**
   * How much of a body that nobody wants is read all the same, because most clients hear the answer only when they have sent
   * everything. In chunks it is less: each of them passes through our own code.
   */
  unwantedBytesMax: 16 * 1024 * 1024,
  unwantedChunkedBytesMax: 2 * 1024 * 1024,
  /** Uploads of one account: while one is worked on, the next may arrive. Each is in memory until its answer. */
  uploadsAtOnceMax: 2,
  /** A connection without a byte is closed after this time, also while its answer is made. */
  idleSeconds: 60,
  /** So work gets less: this long to wait for its turn, whatever was expected of the work before it, … */
  queueSecondsMax: 10,
  /** … and this long in a thread. The longest picture takes some seconds of a core that others keep busy. */
  taskSecondsMax: 30,
  /** Pictures: pixels of the edge that `size` names (decisions, Delivery). */
  pictureSizeMin: 8,
  pictureSizeMax: 1024,
  /** A sign-in lasts a day (decisions, Accounts: JWT). */
  sessionSeconds: 24 * 60 * 60,
  /** How long an account lives whose address is never confirmed: a week's holiday, 300 times as long as a code. */
  unconfirmedSeconds: 7 * 24 * 60 * 60,
  /** A mailed code lasts half an hour (decisions, Accounts). */
  codeSeconds: 30 * 60,
  /**
   * Clocks are set back by moments all the time. What was made further in the future than this was made before a greater
   * step back, and would live longer than it should.
   */
  clockStepSeconds: 60,
  /** What is kept of a client's own name for itself. */
  userAgentLengthMax: 256,
  /** Memory of ready answers beside the bytes of pictures: 20,000 pictures of players, at some 2.4 kB each. */
  hotAnswersBytesMax: 48 * 1024 * 1024,
  /** Rows of a list page (decisions, Every response). */
  pageRowsMax: 1000,
  /**
   * Rows that a search is counted to, 6 ms of the database for three letters, some 60 for twenty; what finds more says this
   * number.
   */
  countedMax: 100_000,
  /** Tokens of services, each of which is compared at every request of one: a hundred take some 0.1 ms. */
  serviceTokensMax: 100,
  /** How old a readiness check may be: whoever asks every second writes no more than who asks every five. */
  readinessSeconds: 5,
  /** Who asks whether something can be written waits no longer: balancers give up soon after. */
  probeSeconds: 2,
  /** Room for the write-ahead log and for as many textures as may be on their way at once. */
  diskBytesFreeMin: 64 * 1024 * 1024,
  /** A mail that somebody waits for and that has not left by then was refused for now three times. */
  mailWaitSecondsMax: 15 * 60,
  /** Names that one account holds after giving them up: enough to go back, too few to hoard. */
  heldNamesMax: 3,
  /** Ids in one request: owners of a cape, capes of an owner. */
  idsMax: 10_000,
  /** So many ids as a form's text: up to 15 digits, a comma, a blank and quotes each. */
  idsTextBytesMax: 256 * 1024,
  /** Owners of a cape that a list of capes shows. */
  ownersShownMax: 1000,
} as const;

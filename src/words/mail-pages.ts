/** The words of a page. */
export type PageWords = { readonly title: string; readonly text: string; readonly note: string | null };

type Place = {
  /** Of the account, masked. */
  readonly address: string;
  readonly site: string;
};

/** What the pages say that links in mails open. */
export type MailPageWords = {
  readonly subscribed: (place: Place) => PageWords & { readonly button: string };
  /** After the button was used. */
  readonly resubscribed: (place: Place) => PageWords & { readonly button: string };
  readonly unsubscribed: (place: Place) => PageWords & { readonly button: string };
  readonly unknown: PageWords;
  /** Too many requests; `later` says when to try again, as in "in 5 seconds". */
  readonly limited: (later: string) => PageWords;
  /** Any other failure, with the number by which the operator finds its cause, if it has one. */
  readonly failed: (requestId: string | null) => PageWords;
};

import type { Origin } from "../../domain/model/mail.ts";
import type { Templates } from "../../domain/mail/templates.ts";

const codeLasts = "The code lasts 30 minutes and works once.";
const codeIsYours = (site: string) =>
  `Never give the code to anyone. No one who works for ${site} will ask you for it.`;

const askedFor = ({ time, network }: Origin) => `This was asked for on ${time} from the network ${network}.`;

/** The mails in English. */
export const mails: Templates = {
  letters: {
    confirm: ({ site, time, network }) => ({
      subject: `Confirm your email address for ${site}`,
      preheader: `One step is left before you can use your account on ${site}.`,
      heading: "Confirm your email address",
      paragraphs: [
        `Welcome! An account on ${site} was registered with this address. Enter this code to confirm that it is yours:`,
      ],
      button: "Confirm address",
      closing: [
        `The account was registered on ${time} from the network ${network}. The password that you choose after the code, or give along with it, is the one that counts. If someone else registered with your address, their password does not work.`,
        codeLasts,
        "If you did not register, do nothing: without the code no one can use the account. " +
          codeIsYours(site),
      ],
    }),
    "already-registered": ({ site, username, ...origin }) => ({
      subject: `You already have an account on ${site}`,
      preheader: "Someone tried to register with your address.",
      heading: "You already have an account",
      paragraphs: [
        `Someone, probably you, tried to register on ${site} with this address. It belongs to the account ${username}, so no new account was made.`,
        "Sign in as usual. If you have forgotten your password, you can set a new one:",
      ],
      button: "Set a new password",
      closing: [askedFor(origin), "If it was not you, do nothing: your account is unchanged."],
    }),
    "address-taken": ({ site, username, ...origin }) => ({
      subject: `Your address on ${site} stays yours`,
      preheader: "Someone wants to use your address for another account.",
      heading: "Your address stays yours",
      paragraphs: [
        `Someone, probably you, wants to use this address for another account on ${site}. It belongs to the account ${username}, so nothing was changed.`,
        `If you want to use it for the other account, give ${username} another address first.`,
      ],
      button: null,
      closing: [askedFor(origin), "If it was not you, do nothing: your account is unchanged."],
    }),
    "unknown-address": ({ site, ...origin }) => ({
      subject: `No account on ${site} has this address`,
      preheader: "Someone wants to reset a password, but there is no such account.",
      heading: "No account has this address",
      paragraphs: [
        `Someone, probably you, asked for a new password on ${site}. No account there belongs to this address.`,
        "Perhaps you registered with another address: ask for the new password with that one.",
      ],
      button: null,
      closing: [
        askedFor(origin),
        "If it was not you, do nothing: there is no account that could be at risk.",
      ],
    }),
    reset: ({ site, username, ...origin }) => ({
      subject: `Set a new password for ${site}`,
      preheader: `Here is the code for the account ${username}.`,
      heading: "Set a new password",
      paragraphs: [
        `Someone, probably you, asked for a new password for the account ${username} on ${site}. Enter this code to set it:`,
      ],
      button: "Set a new password",
      closing: [
        askedFor(origin),
        codeLasts,
        "If it was not you, do nothing: your password stays as it is. " + codeIsYours(site),
      ],
    }),
    claim: ({ site, username, ...origin }) => ({
      subject: `Confirm your email address for ${site}`,
      preheader: `The account ${username} was claimed with this address.`,
      heading: "Confirm your email address",
      paragraphs: [
        `Welcome back! The account ${username} on ${site} was claimed with this address. Enter this code to confirm that it is yours:`,
      ],
      button: "Confirm address",
      closing: [
        askedFor(origin),
        codeLasts,
        "If you know nothing of this, do nothing: without the code the address is not confirmed. " +
          codeIsYours(site),
      ],
    }),
    "change-mail": ({ site, username, ...origin }) => ({
      subject: `Confirm your new email address for ${site}`,
      preheader: `The account ${username} is to use this address.`,
      heading: "Confirm your new email address",
      paragraphs: [
        `The account ${username} on ${site} is to use this address. Enter this code to confirm it:`,
      ],
      button: "Confirm new address",
      closing: [
        askedFor(origin),
        codeLasts,
        "If you know nothing of this, do nothing: without the code the address is not changed. " +
          codeIsYours(site),
      ],
    }),
    "mail-changed": ({ site, username, newMail }) => ({
      subject: `Your email address on ${site} was changed`,
      preheader: `The account ${username} uses another address now.`,
      heading: "Your email address was changed",
      paragraphs: [
        `The account ${username} on ${site} now uses the address ${newMail}. This address gets no more mails about it. All other devices were signed out.`,
      ],
      button: null,
      closing: [
        `If it was not you, write to the people who run ${site} at once: someone else is in your account.`,
      ],
    }),
    "password-changed": ({ site, username }) => ({
      subject: `Your password on ${site} was changed`,
      preheader: `The account ${username} has a new password.`,
      heading: "Your password was changed",
      paragraphs: [
        `The account ${username} on ${site} has a new password. All other devices were signed out.`,
      ],
      button: null,
      closing: [
        `If it was not you, ask for a new password on ${site} at once, and write to the people who run it: someone else is in your account.`,
      ],
    }),
    "skin-removed": ({ site, username, skin, reason }) => ({
      subject: `A skin of yours on ${site} was removed`,
      preheader: `It was in the wardrobe of ${username}.`,
      heading: "Your skin was removed",
      paragraphs: [
        `The people who run ${site} removed the skin “${skin}” from the wardrobe of ${username}. If you wore it, you now wear the default skin. This is their reason:`,
        reason,
      ],
      button: null,
      closing: [
        `If you know nothing of this skin, set a new password on ${site}: someone else may be in your account.`,
      ],
    }),
    leaving: ({ site, username, time }) => ({
      subject: `Your account on ${site} will be deleted`,
      preheader: `Until ${time} you can keep the account ${username}.`,
      heading: "Your account will be deleted",
      paragraphs: [
        `You asked to delete the account ${username} on ${site}. It will be deleted on ${time}, with its players, skins and capes. All devices were signed out.`,
        "If you change your mind, sign in before then and choose “Keep account”:",
      ],
      button: "Sign in and keep it",
      closing: [
        `If it was not you, sign in, keep the account and change your password: someone else knows it.`,
      ],
    }),
    suspended: ({ site, username, end, reason }) => ({
      subject: `Your account on ${site} is suspended`,
      preheader: `No one can sign in to ${username} now.`,
      heading: "Your account is suspended",
      paragraphs: [
        `The people who run ${site} suspended the account ${username}${end === "" ? "" : ` until ${end}`}. Until it is restored, no one can sign in to it, on the website or in a game. All devices were signed out. Your players, skins and capes stay as they are.`,
        ...(reason === "" ? [] : ["This is their reason:", reason]),
      ],
      button: null,
      closing: [
        `If you know nothing of this, or think that it is a mistake, write to the people who run ${site}: someone else may have been in your account.`,
      ],
    }),
    test: ({ site }) => ({
      subject: `Test mail from ${site}`,
      preheader: "If you can read this, mails arrive.",
      heading: "Mails arrive",
      paragraphs: [`This is the test mail of ${site}. If you can read it, the mail settings are right.`],
      button: null,
      closing: [
        `The people who run ${site} sent it to try their settings. If it was not you, there is nothing to do.`,
      ],
    }),
    bulk: ({ site, username, subject, message }) => ({
      subject,
      preheader: message,
      heading: subject,
      paragraphs: [message],
      button: null,
      closing: [
        `You get this mail because the account ${username} on ${site} has this address. If you want no more mails like it, use the link at the end; codes and notices about your account still reach you.`,
      ],
    }),
  },
  frame: ({ site }) => ({
    openLink: "Or open this link:",
    footer: `This mail was sent automatically by ${site}. Replies to it are not read.`,
    play: "Play: what to enter into your launcher",
    unsubscribe: "Unsubscribe from mails like this",
  }),
  colon: ":",
};

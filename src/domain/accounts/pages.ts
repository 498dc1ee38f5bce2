import { showCode } from "../model/code.ts";

/**
 * Addresses of the website's pages, for `url` values and for links in mails. Opening one never uses a code
 * up.
 */
export type Pages = {
  readonly home: string;
  readonly register: string;
  readonly finishRegistration: string;
  readonly forgotPassword: string;
  /** Where a code is typed in; with a code, the page that has it already. */
  readonly confirm: (code?: string) => string;
  readonly resetPassword: (code?: string) => string;
  readonly confirmNewMail: (code?: string) => string;
};

/**
 * The pages of the website at this base address (SITE_URL, no trailing slash). Codes stand behind `codeSign`:
 * our own pages read them from the fragment, which browsers send to no server, so that no log has them. Other
 * websites read them from the query.
 */
export function pagesOf(siteUrl: string, codeSign: "#" | "?"): Pages {
  const withCode = (path: string) => (code?: string) =>
    `${siteUrl}${path}${code === undefined ? "" : `${codeSign}code=${showCode(code)}`}`;
  return {
    home: `${siteUrl}/home`,
    register: `${siteUrl}/register`,
    finishRegistration: `${siteUrl}/registerfinish`,
    forgotPassword: `${siteUrl}/forgetpass`,
    confirm: withCode("/confirm"),
    resetPassword: withCode("/resetpassword"),
    confirmNewMail: withCode("/home/mail"),
  };
}

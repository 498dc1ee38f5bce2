import { lazy, Route } from "preact-iso";
import type { FunctionComponent } from "preact";
import { loadStaffWords } from "../words/language.ts";
import { NotFound } from "./not-found.tsx";
import { pageNotLoaded } from "./not-loaded.tsx";

/**
 * Loads a page when it is first shown. The files of an old tab are gone after an update of the server: such a tab offers to load the
 * page again.
 */
function page(load: () => Promise<FunctionComponent>) {
  return lazy(() => load().catch(pageNotLoaded));
}

/** A page whose words are not among those of every page. It is shown when both are there. */
function staffPage(load: () => Promise<FunctionComponent>) {
  return page(async () => (await Promise.all([load(), loadStaffWords()]))[0]);
}

/** Every page by its path; `http/console/pages.ts` serves the same paths. */
const pages = {
  "/": page(async () => (await import("../pages/guest/start.tsx")).Start),
  "/play": page(async () => (await import("../pages/guest/play.tsx")).Play),
  "/u/:name": page(async () => (await import("../pages/guest/player.tsx")).Player),
  "/login": page(async () => (await import("../pages/guest/login.tsx")).Login),
  "/home": page(async () => (await import("../pages/home/wardrobe.tsx")).Wardrobe),
  "/home/capes": page(async () => (await import("../pages/home/capes.tsx")).Capes),
  "/register": page(async () => (await import("../pages/guest/register.tsx")).Register),
  "/confirm": page(async () => (await import("../pages/guest/confirm.tsx")).Confirm),
  "/registerfinish": page(async () => (await import("../pages/guest/register-finish.tsx")).RegisterFinish),
  "/forgetpass": page(async () => (await import("../pages/guest/forget-password.tsx")).ForgetPassword),
  "/resetpassword": page(async () => (await import("../pages/guest/reset-password.tsx")).ResetPassword),
  "/social": page(async () => (await import("../pages/guest/social.tsx")).Social),
  "/home/account": page(async () => (await import("../pages/home/account.tsx")).Account),
  "/home/mail": page(async () => (await import("../pages/home/mail.tsx")).NewMail),
  "/setup": staffPage(async () => (await import("../pages/setup/setup.tsx")).Setup),
  "/admin": staffPage(async () => (await import("../pages/admin/overview.tsx")).Overview),
  "/admin/users": staffPage(async () => (await import("../pages/admin/users.tsx")).Users),
  "/admin/users/:id": staffPage(async () => (await import("../pages/admin/user.tsx")).User),
  "/admin/skins": staffPage(async () => (await import("../pages/admin/skins.tsx")).Skins),
  "/admin/capes": staffPage(async () => (await import("../pages/admin/capes.tsx")).Capes),
  "/admin/audit": staffPage(async () => (await import("../pages/admin/audit.tsx")).Audit),
  "/admin/mail": staffPage(async () => (await import("../pages/admin/mail.tsx")).Mail),
  "/admin/outbox": staffPage(async () => (await import("../pages/admin/outbox.tsx")).Outbox),
  "/admin/services": staffPage(async () => (await import("../pages/admin/services.tsx")).Services),
} as const;

export const pageRoutes = [
  ...Object.entries(pages).map(([path, component]) => <Route key={path} path={path} component={component} />),
  <Route key="default" default component={NotFound} />,
];

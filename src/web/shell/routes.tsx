import { lazy, Route } from "preact-iso";
import type { FunctionComponent } from "preact";
import type { PagePath } from "../../words/page-list.ts";
import { loadStaffWords } from "../words/language.ts";
import { NotFound } from "./not-found.tsx";
import { pageNotLoaded } from "./not-loaded.tsx";

const components: Readonly<Record<PagePath, () => Promise<FunctionComponent>>> = {
  "/": async () => (await import("../pages/guest/start.tsx")).Start,
  "/play": async () => (await import("../pages/guest/play.tsx")).Play,
  "/u/:name": async () => (await import("../pages/guest/player.tsx")).Player,
  "/login": async () => (await import("../pages/guest/login.tsx")).Login,
  "/register": async () => (await import("../pages/guest/register.tsx")).Register,
  "/confirm": async () => (await import("../pages/guest/confirm.tsx")).Confirm,
  "/registerfinish": async () => (await import("../pages/guest/register-finish.tsx")).RegisterFinish,
  "/forgetpass": async () => (await import("../pages/guest/forget-password.tsx")).ForgetPassword,
  "/resetpassword": async () => (await import("../pages/guest/reset-password.tsx")).ResetPassword,
  "/claim": async () => (await import("../pages/guest/claim.tsx")).Claim,
  "/social": async () => (await import("../pages/guest/social.tsx")).Social,
  "/home": async () => (await import("../pages/home/wardrobe.tsx")).Wardrobe,
  "/home/capes": async () => (await import("../pages/home/capes.tsx")).Capes,
  "/home/account": async () => (await import("../pages/home/account.tsx")).Account,
  "/home/mail": async () => (await import("../pages/home/mail.tsx")).NewMail,
  "/setup": async () => (await import("../pages/setup/setup.tsx")).Setup,
  "/admin": async () => (await import("../pages/admin/overview.tsx")).Overview,
  "/admin/users": async () => (await import("../pages/admin/users.tsx")).Users,
  "/admin/users/:id": async () => (await import("../pages/admin/user.tsx")).User,
  "/admin/skins": async () => (await import("../pages/admin/skins.tsx")).Skins,
  "/admin/capes": async () => (await import("../pages/admin/capes.tsx")).Capes,
  "/admin/audit": async () => (await import("../pages/admin/audit.tsx")).Audit,
  "/admin/mail": async () => (await import("../pages/admin/mail.tsx")).Mail,
  "/admin/outbox": async () => (await import("../pages/admin/outbox.tsx")).Outbox,
  "/admin/services": async () => (await import("../pages/admin/services.tsx")).Services,
};

/**
 * Loads a page and its words. After an update of the server the files of an old tab are gone: such a tab
 * offers to load the page again.
 */
async function loadPage(path: string, load: () => Promise<FunctionComponent>): Promise<FunctionComponent> {
  const words = /^\/(?:admin|setup)/.test(path) ? loadStaffWords() : null;
  const [component] = await Promise.all([load(), words]);
  return component;
}

export const pageRoutes = [
  ...Object.entries(components).map(([path, load]) => (
    <Route key={path} path={path} component={lazy(() => loadPage(path, load).catch(pageNotLoaded))} />
  )),
  <Route key="default" default component={NotFound} />,
];

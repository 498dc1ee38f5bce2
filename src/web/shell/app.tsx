import { LocationProvider, Router } from "preact-iso";
import { words } from "../words/language.ts";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Messages } from "./messages.tsx";
import { settle } from "./removals.ts";
import { pageRoutes } from "./routes.tsx";

/** Links to anything else of this server leave the console, and the browser follows them. */
const pagePaths = /^\/(?!(?:api|auth|console|swagger|textures)(?:\/|$))/;

/** The frame around every page. */
export function App() {
  return (
    <LocationProvider scope={pagePaths}>
      <a class="skip" href="#main">
        {words.value.shell.skip}
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Router onRouteChange={() => void settle()}>{pageRoutes}</Router>
      </main>
      <Messages />
      <Footer />
    </LocationProvider>
  );
}

import { LocationProvider, Router } from "preact-iso";
import { words } from "../words/language.ts";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Messages, settle } from "./messages.tsx";
import { pageRoutes } from "./routes.tsx";

/** The frame around every page. */
export function App() {
  return (
    <LocationProvider>
      <a class="skip" href="#main">
        {words.value.shell.skip}
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Router onRouteChange={() => settle()}>{pageRoutes}</Router>
      </main>
      <Messages />
      <Footer />
    </LocationProvider>
  );
}

import { createCookies } from "../cookies.ts";
import { examples } from "../openapi/examples.ts";

const cookies = createCookies(() => "https://skins.example.org");

/** What the API's document shows of cookies. */
export const cookieExample = cookies.session.set(examples.jwt, null);
export const clearedExample = cookies.session.clear();

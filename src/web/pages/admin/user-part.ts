import type { components } from "../../api/types.ts";
import { nameOf } from "./people.tsx";

export type UserDetail = components["schemas"]["UserDetail"];

/** What each part of a person's page receives. */
export type UserPart = {
  readonly user: UserDetail;
  /** Asks for the user again, after a change. */
  readonly reload: () => Promise<void>;
};

/** What the person is called on their page; see `nameOf`. */
export function displayName({ Id, Username, Mail }: UserDetail): string {
  return nameOf({ id: Id, username: Username, mail: Mail });
}

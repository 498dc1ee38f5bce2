import { deleteAccount } from "../domain/members/administer.ts";
import { commandLine } from "../domain/model/actor.ts";
import { command } from "./command.ts";
import { identifier } from "./member-options.ts";
import { memberText } from "./records.ts";
import { withServices } from "./with-services.ts";

export const userDelete = command({
  name: "user delete",
  summary: "deletes an account with its player, sessions and skins",
  details: "It asks nothing and cannot be undone. The username is held back for a while.",
  settings: "taken",
  positionals: { identifier },
  run: async ({ identifier }, context) => {
    const member = await withServices(context, (services) =>
      deleteAccount(services, commandLine, identifier),
    );
    context.io.out(`deleted ${memberText(member)}\n`);
  },
});

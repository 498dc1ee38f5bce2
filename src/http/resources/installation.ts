import type { Static } from "@sinclair/typebox";
import { t } from "../routing/schema.ts";
import type { Installation } from "../../domain/model/installation.ts";
import { envelopeOf } from "../envelope.ts";
import { givenFlag, givenText } from "../fields.ts";

const setting = t.Object({
  name: givenText("The setting's name", "PUBLIC_URL"),
  from: t.Union([t.Literal("flag"), t.Literal("environment"), t.Literal("file")], {
    description: "What gives it: a flag beats the environment, the environment beats the file",
    examples: ["file"],
  }),
});

const restart = t.Object({
  by: t.Union(
    [
      t.Literal("terminal"),
      t.Literal("npm"),
      t.Literal("systemd"),
      t.Literal("container"),
      t.Literal("unknown"),
    ],
    { description: "What the server runs under", examples: ["systemd"] },
  ),
  command: t.Union([t.String(), t.Null()], {
    description: "What restarts it; null: no one command does",
    examples: ["systemctl restart cloakroom"],
  }),
});

const installation = t.Object(
  {
    settings_file: givenText("Absolute path of the file of settings", "/var/lib/cloakroom/cloakroom.toml"),
    is_there: givenFlag("Whether the file is there", false),
    is_changed: givenFlag("Whether the file was changed since the server started: a restart is due", false),
    faults: t.Array(t.String(), {
      description: "Why the next start refuses the file, without secrets",
      examples: [[]],
    }),
    settings: t.Array(setting, { description: "The settings that are given, without their values" }),
    command: givenText("The program as this server was started", "/usr/local/bin/cloakroom"),
    options: givenText(
      "What has to follow a command so that it reads the same file; empty: nothing",
      " --data-dir /var/lib/cloakroom",
    ),
    folder: givenText("The folder in which the server was started", "/"),
    restart,
  },
  { component: "Installation" },
);

export const installationEnvelope = envelopeOf(installation);

export function presentInstallation(of: Installation): Static<typeof installation> {
  const { settingsFile, settings, command, options, folder, restart } = of;
  return {
    settings_file: settingsFile.path,
    is_there: settingsFile.isThere,
    is_changed: settingsFile.isChanged,
    faults: [...settingsFile.faults],
    settings: settings.map(({ name, from }) => ({ name, from })),
    command,
    options,
    folder,
    restart: { ...restart },
  };
}

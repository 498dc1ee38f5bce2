import { t } from "elysia";
import { envelopeOf } from "../envelope.ts";

const flag = (description: string) => t.Boolean({ description, examples: [true] });

export const readinessEnvelope = envelopeOf(
  t.Object(
    {
      database: flag("A row can be written."),
      disk: flag("The disks of the data folder and of the textures have room."),
      textures: flag("A texture can be written."),
      outbox: flag("Mails leave. A warning: it makes no service unready."),
    },
    { component: "Readiness" },
  ),
);

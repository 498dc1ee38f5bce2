import type { ServicePorts, Services } from "../domain/use-cases/services.ts";
import type { Logger } from "../kernel/log.ts";
import type { Certificates } from "../domain/game/certificate.ts";
import type { Profiles } from "../domain/game/profile.ts";
import type { Access, Http, Requests, Site } from "./http.ts";

/** What surfaces share, in one object: those that are not converted to `Services` and `Http` yet take it. */
export type Parts = ServicePorts &
  Services &
  Http &
  Requests &
  Access &
  Site & { readonly log: Logger; readonly profiles: Profiles; readonly certificates: Certificates };

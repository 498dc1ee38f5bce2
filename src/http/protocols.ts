import { auroraSurface } from "./aurora/surface.ts";
import { avatarsSurface } from "./avatars/surface.ts";
import { cslSurface } from "./csl/surface.ts";
import { elySurface } from "./ely/surface.ts";
import { gravitSurface } from "./gravit/surface.ts";
import { legacySurface } from "./legacy/surface.ts";
import type { Services } from "../domain/use-cases/services.ts";
import type { Http } from "./http.ts";
import { protocolNames, type ProtocolName } from "./protocol-names.ts";
import type { Surface } from "./surface.ts";
import { usmSurface } from "./usm/surface.ts";
import { yggdrasilSurface } from "./yggdrasil/surface.ts";

/** Makes a surface. `presentOther` answers what fails elsewhere. */
export type SurfaceOf = (services: Services, http: Http, presentOther: Surface["presentFailure"]) => Surface;

/**
 * The surface of each protocol that is on. What is off answers like any unknown address, by `presentOther`.
 */
export function protocolSurfaces(
  services: Services,
  http: Http,
  presentOther: Surface["presentFailure"],
): readonly Surface[] {
  const on = protocolNames.filter((name) => http.site.protocols.has(name));
  return on.map((name) => surfaces[name](services, http, presentOther));
}

const surfaces: Readonly<Record<ProtocolName, SurfaceOf>> = {
  yggdrasil: yggdrasilSurface,
  csl: cslSurface,
  usm: usmSurface,
  ely: elySurface,
  legacy: legacySurface,
  avatars: avatarsSurface,
  gravit: gravitSurface,
  aurora: auroraSurface,
};

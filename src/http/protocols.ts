import { cslSurface } from "./csl/surface.ts";
import { legacySurface } from "./legacy/surface.ts";
import { usmSurface } from "./usm/surface.ts";
import { protocolNames, type ProtocolName } from "./protocol-names.ts";
import type { Parts } from "./parts.ts";
import type { Surface } from "./surface.ts";
import { yggdrasilSurface } from "./yggdrasil/surface.ts";

/** The surface of each protocol that is on. What is off answers like any unknown address. */
export function protocolSurfaces(parts: Parts): readonly Surface[] {
  return protocolNames.flatMap((name) => {
    const surfaceOf = surfaces[name];
    return parts.protocols.has(name) && surfaceOf !== undefined ? [surfaceOf(parts)] : [];
  });
}

const surfaces: Readonly<Partial<Record<ProtocolName, (parts: Parts) => Surface>>> = {
  yggdrasil: yggdrasilSurface,
  csl: cslSurface,
  usm: usmSurface,
  legacy: legacySurface,
};

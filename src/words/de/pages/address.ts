import type { Words } from "../../en/pages.ts";

export const address: Words["address"] = {
  isElsewhere: (address) =>
    `Dieser Server hat die Adresse ${address}. Melde dich dort an: Ein Browser merkt sich eine Anmeldung nur für eine Adresse.`,
  open: (address) => `${address} öffnen`,
  moved:
    "Du kommst von einer älteren Adresse dieses Servers. Melde dich noch einmal an: Ein Browser merkt sich eine Anmeldung nur für eine Adresse.",
  hasHttps:
    "Dieser Server hat jetzt https. Melde dich noch einmal an: Eine Anmeldung von vorher ist nicht sicher genug, um zu bleiben.",
};

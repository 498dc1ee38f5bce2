/** The stores of both engines. Events are apart: PostgreSQL's leader numbers them. */
import type { Reads, Stores } from "../../domain/ports/stores.ts";
import { accountReads } from "./account-reads.ts";
import { accountWrites } from "./account-writes.ts";
import { aliasReads, aliasStore } from "./alias-store.ts";
import { auditReads } from "./audit-reads.ts";
import { auditWrites } from "./audit-writes.ts";
import { claimReads } from "./claim-reads.ts";
import { codeReads, codeStore } from "./code-store.ts";
import { dayReads, dayStore } from "./day-store.ts";
import { identityReads, identityStore } from "./identity-store.ts";
import { importReads } from "./import-reads.ts";
import { importStore } from "./import-store.ts";
import { outboxReads, outboxStore } from "./outbox-store.ts";
import { idFinder, pagesOf } from "./pages.ts";
import { playerReads, playerStore } from "./player-store.ts";
import type { Searches } from "./search.ts";
import type { Sender } from "./sender.ts";
import { serviceTokenReads, serviceTokenStore } from "./service-token-store.ts";
import { sessionReads, sessionStore } from "./session-store.ts";
import { suspensionReads, suspensionStore } from "./suspension-store.ts";
import { textureReads, textureStore, type TexturePages } from "./texture-store.ts";
import type { Touch } from "./touch.ts";
import { webhookReads, webhookStore } from "./webhook-store.ts";

export function readsOf(db: Sender, searches: Searches): Omit<Reads, "events"> {
  return {
    accounts: accountReads(db, searches),
    players: playerReads(db),
    aliases: aliasReads(db),
    claims: claimReads(db),
    sessions: sessionReads(db),
    suspensions: suspensionReads(db),
    textures: textureReads(db, texturePages(db, searches)),
    codes: codeReads(db),
    outbox: outboxReads(db),
    identities: identityReads(db),
    serviceTokens: serviceTokenReads(db),
    audit: auditReads(db, searches),
    webhooks: webhookReads(db),
    days: dayReads(db),
    imports: importReads(db),
  };
}

export function storesOf(db: Sender, touch: Touch, searches: Searches): Omit<Stores, "events"> {
  return {
    accounts: { ...accountReads(db, searches), ...accountWrites(db, touch) },
    players: playerStore(db, touch),
    aliases: aliasStore(db),
    claims: claimReads(db),
    sessions: sessionStore(db, touch),
    suspensions: suspensionStore(db, touch),
    textures: textureStore(db, touch, texturePages(db, searches)),
    codes: codeStore(db),
    outbox: outboxStore(db, touch),
    identities: identityStore(db),
    serviceTokens: serviceTokenStore(db),
    audit: { ...auditReads(db, searches), ...auditWrites(touch) },
    webhooks: webhookStore(db),
    days: dayStore(db),
    imports: importStore(db, touch),
  };
}

/** The lists of skins and capes that searches look through. */
function texturePages(db: Sender, searches: Searches): TexturePages {
  return {
    skins: pagesOf(db, "skins", searches.of("skin"), idFinder(db, "skins")),
    capes: pagesOf(db, "capes", searches.of("cape"), idFinder(db, "capes")),
  };
}

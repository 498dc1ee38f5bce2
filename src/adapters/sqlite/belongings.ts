import type { Identity } from "../../domain/model/identity.ts";
import type { Belongings } from "../../domain/ports/account-store.ts";
import type { AccountId } from "../../kernel/ids.ts";
import { toGrantedCape, toIdentity, toSkin, type GrantedCapeRow, type SkinRow } from "../sql/row-values.ts";
import type { Db } from "./open.ts";
import { grantedCapeColumns, identityColumns, skinColumns, textOf } from "./rows.ts";

type Row =
  | ({ readonly kind: "skin" } & SkinRow)
  | ({ readonly kind: "cape" } & GrantedCapeRow)
  | ({ readonly kind: "identity" } & Identity);

/** Every profile asks for all of this: one statement costs half of what three do. Rows have the columns of all three kinds. */
export function belongingsFinder(db: Db): (account: AccountId, now: number) => Belongings {
  const names = Object.keys({ ...skinColumns, ...grantedCapeColumns, ...identityColumns });
  const columns = (kind: Row["kind"], own: Parameters<typeof textOf>[0]) =>
    `'${kind}' AS kind, ${textOf(own, names)}`;
  const rows = db.$client.query<Row, [AccountId, number]>(`
    SELECT * FROM (
      SELECT ${columns("skin", skinColumns)} FROM skins JOIN textures ON hash = texture_hash
      WHERE account_id = ?1 ORDER BY skins.id)
    UNION ALL SELECT * FROM (
      SELECT ${columns("cape", grantedCapeColumns)} FROM cape_grants
      JOIN capes ON capes.id = cape_id JOIN textures ON hash = texture_hash
      WHERE cape_grants.account_id = ?1 AND (expires_at IS NULL OR expires_at > ?2) ORDER BY cape_id)
    UNION ALL SELECT ${columns("identity", identityColumns)} FROM identities WHERE account_id = ?1`);

  return (account, now) => {
    const skins: Belongings["skins"][number][] = [];
    const capes: Belongings["capes"][number][] = [];
    let identity: Belongings["identity"] = null;
    for (const row of rows.all(account, now)) {
      if (row.kind === "skin") skins.push(toSkin(row));
      else if (row.kind === "cape") capes.push(toGrantedCape(row));
      else identity = toIdentity(row);
    }
    return { skins, capes, identity };
  };
}

/* What the service keeps, in the ledger's words: the functions word it, the query finds it. */

export const accountFact = (mail: string, level = 1): string => `account of level ${level}: ${mail}`;
export const confirmedFact = (mail: string): string => `confirmed: ${mail}`;
/** An account without a player has the empty name. */
export const nameFact = (mail: string, name: string): string => `name of ${mail}: ${name}`;
export const heldNameFact = (mail: string, name: string): string => `held for ${mail}: ${name.toLowerCase()}`;
export const skinFact = (mail: string, name: string): string => `skin of ${mail}: ${name}`;
export const selectedFact = (mail: string, name: string): string => `selected by ${mail}: ${name}`;
/** A further player that shows no cape. */
export const bareFact = (uuid: string): string => `shows no cape: ${uuid}`;
export const capeFact = (name: string): string => `cape: ${name}`;
export const grantFact = (mail: string, name: string): string => `cape of ${mail}: ${name}`;
export const newsFact = (subject: string): string => `news: ${subject}`;

export const factsQuery = `
  SELECT 'account of level ' || coalesce(role_level, level) || ': ' || mail FROM accounts
  UNION ALL SELECT 'confirmed: ' || mail FROM accounts WHERE mail_verified = 1
  UNION ALL SELECT 'name of ' || mail || ': ' || coalesce(name, '')
    FROM accounts LEFT JOIN players ON account_id = accounts.id
  UNION ALL SELECT 'held for ' || mail || ': ' || name_key FROM held_names JOIN accounts ON accounts.id = account_id
  UNION ALL SELECT 'skin of ' || mail || ': ' || name FROM skins JOIN accounts ON accounts.id = account_id
  UNION ALL SELECT 'selected by ' || mail || ': ' || skins.name
    FROM accounts JOIN players ON players.id = main_player_id JOIN skins ON skins.id = selected_skin_id
  UNION ALL SELECT 'shows no cape: ' || uuid FROM players WHERE hides_cape
  UNION ALL SELECT 'cape: ' || name FROM capes
  UNION ALL SELECT 'cape of ' || mail || ': ' || name
    FROM cape_grants JOIN capes ON capes.id = cape_id JOIN accounts ON accounts.id = account_id
  UNION ALL SELECT 'news: ' || subject FROM bulk_mails`;

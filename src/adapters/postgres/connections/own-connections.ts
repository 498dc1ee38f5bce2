/**
 * Connections of a node beside those for requests: one each for jobs, for what keeps it going, for its looks
 * at the database, and for notices of other nodes, which behind a pooler there are none of. Loads nothing:
 * every start reads it.
 */
export const ownConnections = 4;

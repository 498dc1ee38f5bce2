import type { SocialNotConnected, SocialSignedIn } from "../../../domain/social/connect.ts";

/** A session and who its member is at the provider. */
export function presentSignedIn({ person }: SocialSignedIn, jwt: string) {
  return { jwt, userid: person.subject, username: person.username, avatar: person.avatar };
}

/** Who is not linked yet, and the number that allows it. */
export function presentNotConnected({ challenge }: SocialNotConnected) {
  const { person, connectionId } = challenge;
  const { subject, username, avatar } = person;
  return { user: { id: subject, username, avatar, conn_id: connectionId } };
}

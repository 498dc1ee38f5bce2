/** What routes of staff and services say of themselves alike, for the API's document. */

export const temporaryLevel =
  "With `expired_at` the level holds until then, and the permanent one afterwards; without it, it becomes the permanent one.";

export const unknownUser = "No user is known as Anna";

export const lastAdministrator =
  "The last administrator can be neither demoted nor deleted: make somebody else one for good first";

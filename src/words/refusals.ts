import type { refusals } from "../domain/model/refusals.ts";
import type { httpRefusals } from "../http/refusals.ts";
import type { rules } from "../http/rules.ts";
import type { Values } from "../kernel/coded.ts";
import type { pictureRefusals } from "../render/refusals.ts";

/**
 * Why the server refuses, for people who read another language than English: English ones read its own
 * sentence.
 */

type Table = Readonly<Record<string, { readonly code: string }>>;
type CodesOf<Codes extends Table> = Codes[keyof Codes]["code"];

type AnyCode =
  | CodesOf<typeof refusals>
  | CodesOf<typeof httpRefusals>
  | CodesOf<typeof rules>
  | CodesOf<typeof pictureRefusals>;

type Only<All, Some extends All> = Some;

/** Codes that no person meets on a page of the console. */
type Unmet = Only<
  AnyCode,
  // Games, launchers and services.
  | "game_token_invalid"
  | "token_without_player"
  | "signing_busy"
  | "account_unknown"
  | "person_ambiguous"
  | "account_key_missing"
  | "account_keys_differ"
  | "service_token_invalid"
  | "right_missing"
  | "game_token_missing"
  | "service_token_missing"
  | "too_many_streams"
  | "not_an_event"
  | "not_a_social_id"
  | "not_a_connection"
  // Programs that sign in to the API.
  | "token_only_in_cookie"
  | "token_only_in_header"
  | "provider_code_missing"
  | "state_missing"
  | "creation_failed"
  | "no_console"
  // Addresses of pictures and files.
  | "wings_missing"
  | "cape_not_worn"
  | "texture_unknown"
  | "skin_not_chosen"
  | "not_a_uuid_or_player"
  | "not_a_uuid_or_number"
  | "not_a_uuid_number_or_name"
  | "not_a_hash"
  // What the pages say in words of their own.
  | "subscription_unknown"
  | "internal"
  | "not_ready"
  // Requests that no page sends.
  | "hd_differs"
  | "wrong_method"
  | "host_missing"
  | "body_type"
  | "body_in_pieces"
  | "body_not_json"
  | "too_many_fields"
  | "body_too_deep"
  | "too_many_values"
  | "body_not_a_form"
  | "too_many_parts"
  | "not_an_object"
  | "not_a_list"
  | "not_a_text"
  | "not_a_flag"
  | "not_a_whole_number"
  | "not_a_number"
  | "not_valid"
  | "not_the_value"
  | "not_one_of_or_absent"
  | "not_one_text"
  | "null_value"
  | "not_a_field"
  | "not_a_uuid_or_empty"
  | "not_a_uuid_null_or_empty"
  | "not_a_uuid_none_null_or_empty"
  | "not_user_ids"
  | "not_user_ids_text"
  | "other_user"
  | "not_a_cape_key"
  | "not_a_cape_list"
  | "not_the_next_step"
  | "not_a_suspension"
  | "mail_verify_differs"
>;

type Count<Name extends string = "max"> = Readonly<Record<Name, number>>;

/** The values of sentences that depend on numbers. */
type CountsOf = {
  readonly too_many_uploads: Count;
  readonly renamed_too_often: Count<"period" | "seconds">;
  readonly enough_players: Count;
  readonly too_many_to_sort: Count;
  readonly search_too_short: Count<"min" | "wide">;
  readonly line_invalid: Count;
  readonly enough_tokens: Count;
  readonly message_invalid: Count;
  readonly wardrobe_full: Count;
  readonly texture_name_invalid: Count;
  readonly too_many_characters: Count;
  readonly too_many_user_ids: Count;
  readonly not_owners: Count;
  /** `reason` is not in the header: the page adds it from the answer. */
  readonly suspended: { readonly until?: number; readonly reason?: string };
};

/**
 * A sentence with the names of its values in braces, or a function where it depends on a number. `{field}` is
 * the field's label.
 */
export type RefusalWords = {
  readonly [Code in Exclude<AnyCode, Unmet>]: Code extends keyof CountsOf
    ? string | ((values: CountsOf[Code]) => string)
    : string;
};

/** How values are written. */
export type RefusalFormats = {
  /** When to try again: "in 5 minutes". */
  readonly wait: (seconds: number) => string;
  readonly size: (bytes: number) => string;
  readonly number: (number: number) => string;
  /** A day and a time of it, from Unix seconds. */
  readonly moment: (seconds: number) => string;
};

/** The sentence of a code with its values; null for a code that this release does not know. */
export function sayRefusal(
  words: RefusalWords,
  { code, values }: { readonly code: string; readonly values: Values },
  formats: RefusalFormats,
): string | null {
  const entries: readonly (readonly [string, string | ((values: never) => string)])[] = Object.entries(words);
  const sentence = entries.find(([known]) => known === code)?.[1];
  if (sentence === undefined) return null;
  // The boundary of types: a test compares what the functions read with what the server sends.
  const text = typeof sentence === "string" ? sentence : sentence(values as never);
  return text.replaceAll(/\{([a-z_]+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    if (typeof value !== "number") return String(value);
    if (name === "seconds") return formats.wait(value);
    if (name === "until") return formats.moment(value);
    return name === "bytes" ? formats.size(value) : formats.number(value);
  });
}

/**
 * What a sentence names: addresses, names, whole numbers, sizes in bytes, times in Unix seconds. The names
 * are of `[a-z_]`.
 */
export type Values = Readonly<Record<string, string | number | boolean>>;

/**
 * Something that each reader's program can say in its own language: a stable code of `[a-z_]` and the values
 * that the sentence names. It fits an item with parameters of RFC 9651.
 */
export type Coded<Code extends string = string> = { readonly code: Code; readonly values: Values };

type Forms = { readonly [form in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** Picks the form of a word for a number: `plural("en", 2, { one: "1 skin", other: "2 skins" })`. */
export function plural(language: string, count: number, forms: Forms): string {
  return forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
}

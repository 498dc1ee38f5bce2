/** A file's measure in pixels, or the measure of which it is a whole multiple. */
export type Measure = { readonly width: number; readonly height: number };

/** The full sheet, and older forms that hold only its used corner: the cape, and the cape with the elytra. */
const forms: readonly Measure[] = [
  { width: 64, height: 32 },
  { width: 22, height: 17 },
  { width: 46, height: 22 },
];

/** The form that a cape's file has: its measure is a whole multiple of it. Null: it can be no cape. */
export function findCapeForm({ width, height }: Measure): Measure | null {
  if (width === 0) return null;
  const fits = (form: Measure) => width % form.width === 0 && width * form.height === height * form.width;
  return forms.find(fits) ?? null;
}

/** Functions that take what they depend on first. */
type Uses<Deps> = Readonly<Record<string, (deps: Deps, ...rest: never[]) => unknown>>;

/** The same functions without their first parameter. */
export type Bound<All> = {
  readonly [Name in keyof All]: All[Name] extends (deps: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** All that some functions depend on. */
export type DepsOf<All> = All[keyof All] extends (deps: infer Deps, ...rest: never[]) => unknown
  ? Deps
  : never;

/** Gives functions what they depend on, once: what remains of each takes the rest of its parameters. */
export function bind<Deps, All extends Uses<Deps>>(deps: Deps, uses: All): Bound<All> {
  const bound = Object.entries(uses).map(([name, use]) => [name, use.bind(null, deps)]);
  return Object.fromEntries(bound) as Bound<All>; // entries lose the names
}

/** SQL files are imported `with { type: "text" }`, which also puts them into the binary. */
declare module "*.sql" {
  const text: string;
  export default text;
}

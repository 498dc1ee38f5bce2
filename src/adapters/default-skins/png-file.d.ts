/** PNG files are imported `with { type: "file" }`: a path, which in the binary leads to the embedded file. */
declare module "*.png" {
  const path: string;
  export default path;
}

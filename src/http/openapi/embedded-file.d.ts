/**
 * Files of the page are imported `with { type: "file" }`: a path, which in the binary leads to the embedded
 * file.
 */
declare module "*.html" {
  const path: string;
  export default path;
}

declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
}

declare module "./page/*" {
  const path: string;
  export default path;
}

/* Parts of oidc-provider by their files. Its main file only adds a warning about every runtime but Node's. */

declare module "oidc-provider/lib/provider.js" {
  export { Provider } from "oidc-provider";
}

declare module "oidc-provider/lib/adapters/memory_adapter.js" {
  import type { AdapterFactory } from "oidc-provider";
  export function createMemoryAdapter(): AdapterFactory;
}

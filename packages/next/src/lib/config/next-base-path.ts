// Next writes its `basePath` here when it builds. Only this spelling is replaced.
declare const process: { readonly env: { readonly __NEXT_ROUTER_BASEPATH?: string } }

/** The `basePath` of Next, which it takes off the path before it hands requests on. */
export function nextBasePath(): string {
  return process.env.__NEXT_ROUTER_BASEPATH ?? ''
}

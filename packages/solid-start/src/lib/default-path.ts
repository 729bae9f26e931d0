/** Where the endpoints are, unless `basePath` says otherwise: the path that routes of @auth/solid-start have. */
export function getDefaultPath(config: object): { readonly defaultBasePath: string } {
  const { prefix } = config as { readonly prefix?: unknown }
  return { defaultBasePath: typeof prefix === 'string' ? prefix : '/api/auth' }
}

/** Secrets that our start pages and examples used to print: applications were started with them as they were. */
const PUBLISHED: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'at-least-32-random-characters-of-your-own',
  'a-secret-for-development-only-0123456789',
])

/**
 * Whether everybody can read a secret in our documentation, and forge sessions with it. Quotes and spaces around it do
 * not make it another one: Docker, for one, passes the quotes of a file of variables on.
 */
export function isPublishedSecret(secret: string): boolean {
  return PUBLISHED.has(
    secret
      .toLowerCase()
      .replace(/^[^a-z\d]+/, '')
      .replace(/[^a-z\d]+$/, ''),
  )
}

/** What is wrong with such a secret, and what to do. */
export const PUBLISHED_SECRET: string =
  'The secret is one that our documentation printed, so anyone can forge sessions with it. ' +
  'Run npx siteauth secret, which replaces it.'

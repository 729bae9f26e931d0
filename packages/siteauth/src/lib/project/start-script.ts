/** The scripts that start a server as it is deployed. */
const NAMES = ['start', 'start:prod', 'start:production', 'serve', 'production']

/** Commands that set `NODE_ENV` themselves. */
const SETS_NODE_ENV =
  /\b(?:next start|react-router-serve|remix-serve|vinxi start|nuxt preview|astro preview|vite preview)\b/

const SETS_ONE = /\b(?:NODE_ENV|AUTH_URL|NEXTAUTH_URL)\b/

/**
 * A script of package.json that starts a server with neither `NODE_ENV` nor `AUTH_URL`; null if there is none. What the
 * place of deployment sets is not known here.
 */
export function startScriptWithout(
  manifest: Readonly<Record<string, unknown>> | null,
  variables: Readonly<Record<string, string | undefined>>,
): string | null {
  if (['NODE_ENV', 'AUTH_URL', 'NEXTAUTH_URL'].some(name => variables[name])) return null
  const scripts = Object(manifest?.['scripts']) as Readonly<Record<string, unknown>> // whatever was written
  const isUnset = (name: string) => {
    const { [name]: command } = scripts
    return typeof command === 'string' && !SETS_ONE.test(command) && !SETS_NODE_ENV.test(command)
  }
  return NAMES.find(isUnset) ?? null
}

/** What that means, and what to do. */
export const START_WITHOUT = {
  what: 'sets neither NODE_ENV nor AUTH_URL. Express and others then run as in development, and SiteAuth serves only browsers on the same machine.',
  cure: 'Set NODE_ENV=production and AUTH_URL there, or where you deploy.',
}

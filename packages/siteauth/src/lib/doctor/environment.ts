import { type ReadVariable, UNKNOWN } from '../code/reading.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The variables of this machine that SiteAuth reads. A project may be hostile, so the others, such as keys for a cloud,
 * are not used, whatever its code asks for.
 */
export function authVariables(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => OF_SITEAUTH.test(name)))
}

const OF_SITEAUTH = /^(?:AUTH_\w+|NEXTAUTH_(?:URL|SECRET|URL_INTERNAL)|VERCEL(?:_URL)?|CF_PAGES)$/

/** What code gets from its environment: variables of this machine that are not used count as unknown. */
export function readVariable(env: Variables, ofMachine: Variables): ReadVariable {
  return name => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    return value || !Object.hasOwn(ofMachine, name) ? value : UNKNOWN
  }
}

/**
 * What may be part of a URL that is requested: what is called an address, of the project or of SiteAuth. Secrets have all kinds
 * of names, so a variable of another name is not sent.
 */
export function publicVariables(env: Variables): Variables {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) =>
        NAME_OF_ADDRESS.test(name) && !NAME_OF_SECRET.test(name) && PART_OF_ADDRESS.test(value),
    ),
  )
}

const NAME_OF_ADDRESS =
  /^(?:NODE_ENV|VERCEL|CF_PAGES|AUTH_\w+_ID|(?:\w+_)?(?:ISSUER|URL|DOMAIN|SUBDOMAIN|HOST|HOSTNAME|ORIGIN|TENANT|REALM|REGION|POOL|ORG)(?:_(?:ID|NAME))?)$/i
const NAME_OF_SECRET =
  /(?:^|_)(?:\w*SECRET|\w*HOOK|(?:API)?KEY|TOKEN|PASS\w*|PWD|CREDENTIAL|PRIVATE|DATABASE|DSN|DB)S?\d*(?:_|$)/i
/** Neither a user, as in `smtp://user:password@mail.example.com`, nor a query. */
const PART_OF_ADDRESS = /^[^@?#\s]*$/

/** For URLs that are requested. Not even whether another variable is set can be told from them. */
export function readPublicVariable(env: Variables): ReadVariable {
  return name => (Object.hasOwn(env, name) ? env[name] : UNKNOWN)
}

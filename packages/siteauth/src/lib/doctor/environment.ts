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

/** What may be part of a URL that is requested: no secret, and nothing of this machine but what SiteAuth reads. */
export function publicVariables(env: Variables): Variables {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) => !NAME_OF_SECRET.test(name) && !WITH_PASSWORD.test(value),
    ),
  )
}

const NAME_OF_SECRET =
  /(?:^|_)(?:\w*SECRET|(?:API)?KEY|TOKEN|PASS\w*|PWD|CREDENTIAL|PRIVATE|DATABASE|DSN|DB)S?\d*(?:_|$)/i
/** A URL such as `smtp://user:password@mail.example.com`. */
const WITH_PASSWORD = /\/\/[^/@\s]*:[^/@\s]*@/

/** For URLs that are requested. Not even whether another variable is set can be told from them. */
export function readPublicVariable(env: Variables): ReadVariable {
  return name => (Object.hasOwn(env, name) ? env[name] : UNKNOWN)
}

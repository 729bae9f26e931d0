import { nonEmpty } from './non-empty.ts'

/** The variables that the library reads. */
export type Env = Readonly<Record<string, string | undefined>>

/** A variable that is set to something that it cannot be. */
export interface UnclearVariable {
  readonly name: 'AUTH_URL' | 'AUTH_TRUST_HOST'
  readonly value: string
}

/** What the environment says. */
export interface EnvOptions {
  readonly secrets: readonly string[]
  readonly url: URL | undefined
  readonly redirectProxyUrl: string | undefined
  readonly trustHost: boolean
  readonly development: boolean
  /** Variables that cannot be understood. */
  readonly unclear: readonly UnclearVariable[]
}

/** Reads the environment. Writes nothing back. */
export function readEnv(env: Env): EnvOptions {
  const unclear: UnclearVariable[] = []
  const givenUrl = nonEmpty(env['AUTH_URL']) ?? nonEmpty(env['NEXTAUTH_URL'])
  const url = parseUrl(givenUrl)
  if (givenUrl && !url) unclear.push({ name: 'AUTH_URL', value: givenUrl })
  const givenTrust = nonEmpty(env['AUTH_TRUST_HOST'])
  const trusted = readBoolean(givenTrust)
  if (givenTrust && trusted === undefined) {
    unclear.push({ name: 'AUTH_TRUST_HOST', value: givenTrust })
  }
  const onPlatform = nonEmpty(env['VERCEL']) ?? nonEmpty(env['CF_PAGES'])
  return {
    secrets: readSecrets(env),
    url,
    redirectProxyUrl: nonEmpty(env['AUTH_REDIRECT_PROXY_URL']),
    trustHost: trusted ?? Boolean(url ?? onPlatform ?? env['NODE_ENV'] !== 'production'),
    development: env['NODE_ENV'] === 'development',
    unclear,
  }
}

/** The environment of the process, if there is one. */
export function processEnv(): Env {
  return globalThis.process?.env ?? {}
}

function readSecrets(env: Env): readonly string[] {
  const named = (...names: string[]) => names.flatMap(name => nonEmpty(env[name]) ?? [])
  const newestFirst = named('AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1', 'AUTH_SECRET')
  return newestFirst.length > 0 ? newestFirst : named('NEXTAUTH_SECRET')
}

function readBoolean(value = ''): boolean | undefined {
  const word = value.trim()
  if (/^(true|1|yes|on)$/i.test(word)) return true
  return /^(false|0|no|off)$/i.test(word) ? false : undefined
}

function parseUrl(value: string | undefined): URL | undefined {
  if (!value) return undefined
  try {
    const url = new URL(value)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
  } catch {
    return undefined
  }
}

/** The variables that the library reads. */
export type Env = Readonly<Record<string, string | undefined>>

/** A variable that is set to something that it cannot be. */
export interface UnclearVariable {
  readonly name: 'AUTH_URL' | 'AUTH_TRUST_HOST'
  readonly value: string
}

/** The options that the environment sets. */
export interface EnvOptions {
  readonly secrets: readonly string[]
  readonly url: URL | undefined
  readonly trustHost: boolean | 'loopback'
  /** Variables that cannot be understood. */
  readonly unclear: readonly UnclearVariable[]
}

/**
 * What a process is for: everything that does not say that it is for development or for tests is for the public, so that a
 * variable that is missing or misspelt switches no protection off.
 */
export function modeOf(env: Env): 'development' | 'test' | 'production' {
  const { NODE_ENV: mode } = env
  return mode === 'development' || mode === 'test' ? mode : 'production'
}

/** Reads the environment. Writes nothing back. */
export function readEnv(env: Env): EnvOptions {
  const unclear: UnclearVariable[] = []
  // A variable that is set to nothing is not set.
  const givenUrl = env['AUTH_URL'] || env['NEXTAUTH_URL']
  const url = parseUrl(givenUrl)
  if (givenUrl && !url) unclear.push({ name: 'AUTH_URL', value: givenUrl })
  const givenTrust = env['AUTH_TRUST_HOST']
  const trusted = readBoolean(givenTrust)
  if (givenTrust && trusted === undefined) {
    unclear.push({ name: 'AUTH_TRUST_HOST', value: givenTrust })
  }
  const isProduction = modeOf(env) === 'production'
  const isKnown = url || env['VERCEL'] || env['CF_PAGES']
  return {
    secrets: readSecrets(env),
    url,
    trustHost: trusted ?? (isKnown || !isProduction ? true : 'loopback'),
    unclear,
  }
}

/** The environment of the process, if there is one. */
export function processEnv(): Env {
  return globalThis.process?.env ?? {}
}

function readSecrets(env: Env): readonly string[] {
  const named = (...names: string[]) => names.flatMap(name => env[name] || [])
  const newestFirst = named('AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1', 'AUTH_SECRET')
  return newestFirst.length > 0 ? newestFirst : named('NEXTAUTH_SECRET')
}

function readBoolean(value = ''): boolean | undefined {
  const word = /^\s*(?:(true|1|yes|on)|false|0|no|off)\s*$/i.exec(value)
  return word ? word[1] !== undefined : undefined
}

function parseUrl(value: string | undefined): URL | undefined {
  const url = value && URL.canParse(value) ? new URL(value) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

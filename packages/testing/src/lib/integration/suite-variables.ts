/** What the suite tells the application, in one variable: applications may run in a process of their own. */
export interface SuiteSettings {
  readonly sessions: 'cookie' | 'database'
  /** Where the guards are: in the routes, or one in front of everything. */
  readonly guard: 'routes' | 'front'
  readonly basePath: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where mail is posted to. */
  readonly mail: string
}

const VARIABLE = 'SITEAUTH_SUITE'

export function writeSettings(settings: SuiteSettings): Readonly<Record<string, string>> {
  return { [VARIABLE]: JSON.stringify(settings) }
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): SuiteSettings {
  const text = env[VARIABLE]
  if (text === undefined) {
    throw new Error(
      `The variable ${VARIABLE} is not set. integrationSuite passes it to \`start\`: hand all of those on to ` +
        'the application.',
    )
  }
  return JSON.parse(text) as SuiteSettings // as it was written above
}

/** The password of everybody who signs in with credentials. */
export const PASSWORD = 'right'

/** The address of somebody who signs in with credentials. */
export function addressOf(name: string): string {
  return `${name.toLowerCase()}@people.example`
}

/** Somebody whose session in the store cannot be read, as if the store were down. */
export const UNREADABLE = 'Unreadable'

/** Somebody whose session in a cookie needs several. */
export const LARGE = 'Large'

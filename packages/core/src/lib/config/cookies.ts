import { definedMembers } from '../base/defined-members.ts'
import { serializeCookie } from '../http/cookie-text.ts'
import { type CookieAttributes, type CookieOption, setCookie } from '../http/cookies.ts'
import type { CookiesOptions } from './options.ts'
import type { CookieTable, SessionConfig } from './resolved-config.ts'
import { type CookieScheme, sessionCookie } from './session-config.ts'
import type { ConfigSources } from './sources.ts'

const FIFTEEN_MINUTES = 15 * 60

/**
 * The cookies for each scheme. If the application configures which it uses, or its origin is known, they are the
 * same; otherwise a request decides.
 */
export function cookieTables({ options, envOptions }: ConfigSources): {
  readonly https: CookieTable
  readonly http: CookieTable
} {
  const { cookies } = options
  const secure =
    options.useSecureCookies ?? (envOptions.url && envOptions.url.protocol === 'https:')
  const https = cookieTable({ secure: secure ?? true }, cookies)
  const http = secure === undefined ? cookieTable({ secure: false }, cookies) : https
  return { https, http }
}

/** The names and attributes of the cookies. */
export function cookieTable(
  scheme: CookieScheme,
  overrides: Partial<CookiesOptions> | undefined,
): CookieTable {
  const { secure } = scheme
  const prefix = secure ? '__Secure-' : ''
  const sessionToken = sessionCookie(scheme)
  const { options: common } = sessionToken
  const brief = { ...common, maxAge: FIFTEEN_MINUTES }
  // Cookies that decide about identity get the strictest prefix: no sibling host can plant them.
  const ofThisHost = (key: keyof CookiesOptions) =>
    secure && isOfOneHost(overrides?.[key]?.options) ? '__Host-' : prefix
  const defaults: CookieTable = {
    sessionToken,
    callbackUrl: { name: `${prefix}authjs.callback-url`, options: common },
    csrfToken: { name: `${secure ? '__Host-' : ''}authjs.csrf-token`, options: common },
    pkceCodeVerifier: { name: `${prefix}authjs.pkce.code_verifier`, options: brief },
    state: { name: `${ofThisHost('state')}authjs.state`, options: brief },
    nonce: { name: `${prefix}authjs.nonce`, options: common },
    emailRequest: { name: `${ofThisHost('emailRequest')}authjs.email-request`, options: common },
    tokens: { name: `${ofThisHost('tokens')}siteauth.tokens`, options: common },
    signInForm: { name: `${ofThisHost('signInForm')}authjs.sign-in-form`, options: common },
    knownBrowser: { name: `${ofThisHost('knownBrowser')}siteauth.known`, options: common },
    lastProvider: { name: `${ofThisHost('lastProvider')}siteauth.last-provider`, options: common },
    // Browsers have to send it wherever they send the session cookie. Sites on https have it whatever their other cookies are.
    sessionBinding: {
      name: `${isOfOneHost(overrides?.sessionBinding?.options) ? '__Host-' : '__Secure-'}siteauth.bound`,
      options: { ...common, ...embedding(overrides?.sessionToken?.options), secure: true },
    },
    reauthentication: {
      name: `${ofThisHost('reauthentication')}siteauth.reauthenticate`,
      options: brief,
    },
    webauthnChallenge: {
      name: `${ofThisHost('webauthnChallenge')}authjs.challenge`,
      options: brief,
    },
  }
  const entries = Object.entries(defaults).map(([key, cookie]) => {
    const override = overrides?.[key as keyof CookiesOptions]
    return [
      key,
      {
        name: override?.name ?? cookie.name,
        options: { ...cookie.options, ...definedMembers(override?.options) },
      },
    ]
  })
  return Object.fromEntries(entries) as CookieTable // the same keys as `defaults`
}

/** The attributes that decide whether browsers send a cookie from a frame or another site. */
function embedding({ sameSite, partitioned }: CookieAttributes = {}): Partial<CookieAttributes> {
  return definedMembers({ sameSite, partitioned })
}

/**
 * Whether a session on https has to be bound to the browser that was given it: sibling hosts can plant its cookie, unless it
 * has a `__Host-` name. A site with a `domain` has them share its sessions, so any of them can set one.
 */
export function needsBinding({
  sessionToken: { name, options },
}: Pick<CookieTable, 'sessionToken'>): boolean {
  return !name.startsWith('__Host-') && !options.domain
}

/** Whether the visitors of an origin come over HTTPS, also if cookies are not to be `Secure`, or the server does not see it. */
export function isHttpsSite(
  { useSecureCookies }: Pick<SessionConfig, 'useSecureCookies'>,
  origin: string,
): boolean {
  return useSecureCookies === true || origin.startsWith('https:')
}

/** Whether browsers would take a cookie with these attributes under a `__Host-` name. */
function isOfOneHost({ domain, path, secure }: CookieAttributes = {}): boolean {
  return !domain && (path === undefined || path === '/') && secure !== false
}

/** Why the cookie that binds sessions could be planted together with them, or null. */
export function bindingProblem(table: CookieTable): string | null {
  if (!needsBinding(table) || table.sessionBinding.name.startsWith('__Host-')) return null
  return 'cookies.sessionBinding needs a name that starts with __Host-, no domain and the path "/": other hosts could set it, and the session with it. Only a site whose cookies.sessionToken has a domain can change that.'
}

/** Why a cookie could not be set as configured, or null. Browsers would drop it in silence. */
export function cookieProblem(key: string, { name, options }: CookieOption): string | null {
  const where = `cookies.${key}`
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) {
    return `${where}.name contains characters a cookie's name cannot have.`
  }
  for (const attribute of ['path', 'domain'] as const) {
    const value = options[attribute]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    if (value !== undefined && /[;,\s\u0000-\u001f\u007f-\uffff]/.test(value)) {
      return `${where}.options.${attribute} contains characters it cannot have.`
    }
  }
  if (name.startsWith('__Secure-') && !options.secure) {
    return `${where} is named __Secure-… and so needs options.secure.`
  }
  if (name.startsWith('__Host-') && (!options.secure || options.domain || options.path !== '/')) {
    return `${where} is named __Host-… and so needs options.secure, path "/" and no domain. Give it another name to share it between hosts.`
  }
  if (options.sameSite === 'none' && !options.secure) {
    return `${where}.options.sameSite is "none" and so needs options.secure.`
  }
  return writingProblem(where, { name, options })
}

/** Anything else that prevents a cookie from being written is better reported now than at the first sign-in. */
function writingProblem(where: string, cookie: CookieOption): string | null {
  try {
    serializeCookie(setCookie(cookie, 'value'))
    return null
  } catch (error) {
    return `${where}.options cannot be used: ${error instanceof Error ? error.message : error}.`
  }
}

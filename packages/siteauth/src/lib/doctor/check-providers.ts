import { CATALOGUE } from '../add/catalogue.ts'
import { closestNames } from '../add/search.ts'
import { publicPath, siteUrl } from '../code/endpoint-paths.ts'
import type { Finding } from './finding.ts'
import type { MadeProvider } from './make-providers.ts'
import { placeOf, type Subject } from './project-under-test.ts'
import { isStandIn } from './stand-ins.ts'

/** What is wrong with providers that can be told without asking them. */
export function checkProviders(subject: Subject): readonly Finding[] {
  return subject.providers.flatMap(provider => {
    const where = placeOf(provider.config)
    return [
      ...unknownPreset(provider),
      ...ended(provider),
      ...credentials(provider),
      ...redirectUri(provider, subject),
      ...practice(provider),
      ...unencrypted(provider),
      ...onThisMachine(provider, subject),
    ].map(finding => ({ ...finding, where }))
  })
}

function unknownPreset({ preset, isUnknown }: MadeProvider): readonly Finding[] {
  if (!preset || !isUnknown) return []
  const modules = CATALOGUE.map(({ module }) => module)
  const [closest] = closestNames(preset, modules)
  return [
    {
      code: 'unknown-provider',
      severity: 'error',
      what: `There is no provider "${preset}".`,
      cure: closest
        ? `Import providers/${closest}, if that is the one you mean.`
        : 'Run npx siteauth add to see which there are, or describe it yourself as a provider of type "oidc".',
    },
  ]
}

function ended({ preset }: MadeProvider): readonly Finding[] {
  const facts = CATALOGUE.find(({ module }) => module === preset)
  if (facts?.status !== 'closed' && facts?.status !== 'deprecated') return []
  return [
    {
      code: 'ended-provider',
      severity: facts.status === 'closed' ? 'error' : 'warning',
      what:
        facts.status === 'closed'
          ? `${facts.title} no longer lets people sign in elsewhere.`
          : `The provider for ${facts.title} is deprecated.`,
      cure: facts.instead ?? 'Remove it, and offer another way to sign in.',
    },
  ]
}

const PLACEHOLDER = /^(?:from-|your[-_ ]|<.*>$|x{3,}|changeme|todo|client[-_]?(?:id|secret)$)/i

function credentials({ resolved }: MadeProvider): readonly Finding[] {
  if (resolved?.type !== 'oauth' && resolved?.type !== 'oidc') return []
  const { id, clientId, clientSecret, token, client } = resolved
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  const isPublic = client?.['token_endpoint_auth_method'] === 'none'
  // Some make their secret themselves, from a key.
  const makesOwn = typeof token === 'object' && 'request' in token && token.request !== undefined
  const findings: Finding[] = []
  if (clientId && !clientSecret && !isPublic && !makesOwn) {
    findings.push({
      code: 'missing-client-secret',
      severity: 'error',
      what: `The provider "${id}" has a client id, but no client secret.`,
      cure: `Set ${prefix}_SECRET.`,
    })
  }
  for (const [name, value] of Object.entries({ ID: clientId, SECRET: clientSecret })) {
    if (typeof value !== 'string' || !PLACEHOLDER.test(value)) continue
    findings.push({
      code: 'placeholder-credentials',
      severity: 'error',
      what: `${prefix}_${name} is still a placeholder.`,
      cure: `Set it to what you got when you registered the application. npx siteauth add ${id} says where.`,
    })
  }
  return findings
}

/** Where a provider sends people back to. */
export function callbackUrl(
  { config, resolved }: MadeProvider,
  { env }: Pick<Subject, 'env'>,
): string {
  const origin = siteUrl(env)?.origin ?? 'http://localhost:3000'
  return `${origin}${publicPath(config, env)}/callback/${resolved?.id}`
}

function redirectUri(provider: MadeProvider, subject: Subject): readonly Finding[] {
  const { authorization } = provider.options
  const { params } = Object(authorization) as { params?: unknown } // whatever was written
  const { redirect_uri: uri, response_type: type } = Object(params) as Record<string, unknown>
  const findings: Finding[] = []
  const expected = callbackUrl(provider, subject)
  if (typeof uri === 'string' && uri !== expected) {
    findings.push({
      code: 'redirect-uri',
      severity: 'error',
      what: `"${provider.resolved?.id}" sends people back to ${uri}, where nobody expects them.`,
      cure: `Remove redirect_uri. At the provider, register exactly ${expected}.`,
    })
  }
  if (typeof type === 'string' && type !== 'code') {
    findings.push({
      code: 'implicit-grant',
      severity: 'error',
      what: `"${provider.resolved?.id}" is asked for response_type=${type}, which puts tokens into URLs (RFC 9700, 2.1.2).`,
      cure: 'Remove response_type: code is the default.',
    })
  }
  return findings
}

/** RFC 9700, the security best practice for OAuth. */
function practice({ options, resolved }: MadeProvider): readonly Finding[] {
  const { checks, allowDangerousEmailAccountLinking } = options
  const findings: Finding[] = []
  if (Array.isArray(checks)) {
    const names = checks.map(String)
    if (!names.includes('state') && !names.includes('pkce') && !names.includes('nonce')) {
      findings.push({
        code: 'no-checks',
        severity: 'error',
        what: `Sign-ins with "${resolved?.id}" are checked by neither state nor PKCE, so a stranger can sign visitors in as himself (RFC 9700, 4.7).`,
        cure: 'Remove `checks`: the defaults are right.',
      })
    } else if (!names.includes('pkce')) {
      findings.push({
        code: 'no-pkce',
        severity: 'warning',
        what: `Sign-ins with "${resolved?.id}" go without PKCE, so a stolen code can be used (RFC 9700, 2.1.1).`,
        cure: "Add 'pkce' to `checks`, or remove them: providers that do not know PKCE ignore it.",
      })
    }
  }
  if (allowDangerousEmailAccountLinking === true) {
    findings.push({
      code: 'linking-by-email',
      severity: 'warning',
      what: `Whoever has an account at "${resolved?.id}" with somebody's address becomes that user.`,
      cure: 'Remove allowDangerousEmailAccountLinking: proven addresses are linked without it.',
    })
  }
  return findings
}

function unencrypted({ resolved }: MadeProvider): readonly Finding[] {
  const plain = urlsOf(resolved).find(isPlainHttp)
  if (!plain || isStandIn(plain)) return []
  return [
    {
      code: 'plain-http-provider',
      severity: 'error',
      what: `"${resolved?.id}" is reached by ${plain}, where anybody on the way can read codes and secrets (RFC 9700, 2.6).`,
      cure: 'Use its https:// URL.',
    },
  ]
}

/** A fake provider of tests is there, and signs anybody in who can reach it. */
function onThisMachine({ resolved }: MadeProvider, { mode }: Subject): readonly Finding[] {
  const local = urlsOf(resolved).find(url => LOCAL.test(url))
  if (mode !== 'production' || !local) return []
  return [
    {
      code: 'local-provider',
      severity: 'error',
      what: `"${resolved?.id}" is ${local}, on the machine itself, where in production no provider should be.`,
      cure: 'Set its issuer to the public https:// address, and use the other one in tests only.',
    },
  ]
}

const LOCAL = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/

function urlsOf(resolved: MadeProvider['resolved']): readonly string[] {
  if (resolved?.type !== 'oauth' && resolved?.type !== 'oidc') return []
  const { issuer, wellKnown, authorization, token, userinfo } = resolved
  return [issuer, wellKnown, ...[authorization, token, userinfo].map(urlOf)].flatMap(
    url => url ?? [],
  )
}

function urlOf(endpoint: unknown): string | undefined {
  if (typeof endpoint === 'string') return endpoint
  const { url } = Object(endpoint) as { url?: unknown } // an object of whoever wrote it
  return typeof url === 'string' ? url : undefined
}

/** Whether a URL is unencrypted; on the developer's own machine, nobody is on the way. */
export function isPlainHttp(url: unknown): url is string {
  return typeof url === 'string' && /^http:\/\/(?!localhost\b|127\.|\[::1\])/.test(url)
}

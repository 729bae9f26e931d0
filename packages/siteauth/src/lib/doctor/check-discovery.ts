import { findConfigs } from '../code/find-configs.ts'
import { isPlainHttp } from './check-providers.ts'
import { publicVariables, readPublicVariable } from './environment.ts'
import type { Finding } from './finding.ts'
import { type MadeProvider, makeProviders } from './make-providers.ts'
import { placeOf, type Subject } from './project-under-test.ts'
import { isStandIn } from './stand-ins.ts'

const TIMEOUT = 8000
const MAX_SKEW = 60_000

/** Asks every provider whether it is there, and whether it is what the configuration takes it for. */
export async function checkDiscovery(subject: Subject): Promise<readonly Finding[]> {
  if (subject.isOffline) return []
  const asked = new Map<string, MadeProvider>()
  for (const provider of await providersToAsk(subject)) {
    const url = addressOf(provider)
    if (url && !isStandIn(url) && !isPlainHttp(url) && !asked.has(url)) asked.set(url, provider)
  }
  const results = await Promise.all(
    [...asked].map(async ([url, provider]) => ({
      findings: await askProvider(url, provider, subject),
      where: placeOf(provider.config),
    })),
  )
  // A clock that is wrong is wrong for all of them.
  const all = results.flatMap(({ findings, where }) => findings.map(each => ({ ...each, where })))
  const clock = all.find(({ code }) => code === 'clock')
  return all.filter(each => each.code !== 'clock' || each === clock)
}

/** The providers, as far as code and variables tell that may be part of a URL. */
async function providersToAsk({ sources, env }: Subject): Promise<readonly MadeProvider[]> {
  const shown = publicVariables(env)
  const configs = findConfigs(sources, readPublicVariable(shown))
  return (await Promise.all(configs.map(config => makeProviders(config, shown)))).flat()
}

/** Where a provider describes itself, or else where it can be found. */
function addressOf({ resolved }: MadeProvider): string | null {
  if (resolved?.type === 'oidc') {
    if (resolved.wellKnown) return resolved.wellKnown
    if (!resolved.issuer) return null
    return `${resolved.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  }
  if (resolved?.type !== 'oauth') return null
  const { token } = resolved
  const url = typeof token === 'string' ? token : token?.url
  return url && URL.canParse(url) ? new URL('/', url).href : null
}

async function askProvider(
  url: string,
  { resolved }: MadeProvider,
  { world }: Subject,
): Promise<readonly Finding[]> {
  const name = `"${resolved?.id}"`
  let response: Response
  try {
    response = await world.fetch(url, {
      redirect: 'follow',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT),
    })
  } catch (error) {
    return [
      {
        code: 'provider-unreachable',
        severity: 'error',
        what: `${name} does not answer at ${url}: ${reasonOf(error)}.`,
        cure: 'Check its issuer, your network and your firewall. With --offline, this is not checked.',
      },
    ]
  }
  const clock = checkClock(response.headers.get('date'), world.now())
  if (resolved?.type !== 'oidc') {
    await response.body?.cancel()
    return clock
  }
  return [...clock, ...(await checkDocument(url, response, name, resolved.issuer))]
}

function checkClock(date: string | null, now: number): readonly Finding[] {
  const skew = now - Date.parse(date ?? '')
  if (!(Math.abs(skew) > MAX_SKEW)) return []
  return [
    {
      code: 'clock',
      severity: 'error',
      what: `The clock of this machine is ${Math.round(Math.abs(skew) / 1000)} seconds ${skew > 0 ? 'fast' : 'slow'}, so tokens count as expired, or not valid yet.`,
      cure: 'Set it by NTP.',
    },
  ]
}

async function checkDocument(
  url: string,
  response: Response,
  name: string,
  issuer: string | undefined,
): Promise<readonly Finding[]> {
  const document = response.ok ? await readDocument(response) : null
  if (!document) {
    await response.body?.cancel().catch(() => {})
    return [
      {
        code: 'no-discovery',
        severity: 'error',
        what: `${name} does not describe itself at ${url} (status ${response.status}).`,
        cure: 'Correct its issuer: most often a realm, a tenant or a trailing part of the path is wrong.',
      },
    ]
  }
  const findings: Finding[] = []
  const documented = document['issuer']
  // Microsoft has one document for all tenants, with a gap for their ids.
  if (
    issuer &&
    typeof documented === 'string' &&
    !isSameUrl(documented, issuer) &&
    !documented.includes('{')
  ) {
    findings.push({
      code: 'issuer-mismatch',
      severity: 'error',
      what: `${name} calls itself ${documented}, not ${issuer}.`,
      cure: `Set its issuer to exactly ${documented}, if that is who you mean.`,
    })
  }
  const methods = document['code_challenge_methods_supported']
  if (Array.isArray(methods) && !methods.includes('S256')) {
    findings.push({
      code: 'provider-without-pkce',
      severity: 'warning',
      what: `${name} does not support PKCE with S256, which RFC 9700 asks of it (2.1.1).`,
      cure: 'Update it, or switch PKCE on in its settings. Until then, state and nonce protect sign-ins.',
    })
  }
  const types = document['response_types_supported']
  if (Array.isArray(types) && !types.includes('code')) {
    findings.push({
      code: 'provider-without-code',
      severity: 'error',
      what: `${name} does not offer the authorization code flow, the only one SiteAuth uses.`,
      cure: 'Switch it on in the settings of the provider.',
    })
  }
  const plain = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'].find(
    key => isPlainHttp(document[key]),
  )
  if (plain) {
    findings.push({
      code: 'plain-http-endpoint',
      severity: 'error',
      what: `The ${plain} of ${name} is ${document[plain]}, which is not encrypted.`,
      cure: 'Tell the provider its public https:// address; behind a proxy, it often does not know it.',
    })
  }
  return findings
}

/** As the library compares them: a slash that stands for the root makes no difference. */
function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
}

async function readDocument(response: Response): Promise<Record<string, unknown> | null> {
  try {
    const document: unknown = await response.json()
    const { issuer } = Object(document) as { issuer?: unknown } // whatever was answered
    return typeof issuer === 'string' ? (document as Record<string, unknown>) : null // as just seen
  } catch {
    return null
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as { cause?: unknown; message?: unknown } // of any kind
  const { code } = Object(cause) as { code?: unknown }
  return String(code ?? message)
}

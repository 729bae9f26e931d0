import { CommandError, type World } from '../environment.ts'
import { CATALOGUE } from './catalogue.ts'
import type { ProviderFacts } from './provider-facts.ts'
import { closestNames, searchProviders } from './search.ts'

const POPULAR = ['github', 'google', 'microsoft-entra-id', 'apple', 'discord', 'keycloak', 'auth0']

const MAIL = 'an adapter, and the address that emails come from'

/** Ways to sign in that no list entry is enough for, and what each takes. They are modules of core. */
const OTHER_WAYS: Readonly<Record<string, string>> = {
  credentials: 'a function `authorize` that checks what was entered',
  password: 'an adapter that stores passwords, such as one of @siteauth/adapters',
  passkey: 'an adapter, and the package @simplewebauthn/server',
  webauthn: 'an adapter, and the package @simplewebauthn/server',
  ...Object.fromEntries(
    [
      'email',
      'resend',
      'nodemailer',
      'sendgrid',
      'postmark',
      'mailgun',
      'loops',
      'forwardemail',
    ].map(name => [name, MAIL]),
  ),
}

/** The provider that a word means. Asks if it means several; without a word, among those most people use. */
export async function chooseProvider(world: World, wanted: string | null): Promise<ProviderFacts> {
  const name = wanted?.toLowerCase() ?? ''
  const needed = OTHER_WAYS[name]
  if (needed) {
    throw new CommandError(
      `"${wanted}" takes more than an entry in a list: ${needed}. ` +
        `Import it from @siteauth/core/providers/${name}, and its types say what it is given.`,
    )
  }
  const found = wanted === null ? popular() : searchProviders(CATALOGUE, wanted)
  const [first, second] = found
  const isExact = first && wanted && [first.id, first.module].includes(wanted.toLowerCase())
  if (first && (isExact || !second)) return first
  if (first && world.asker) {
    const id = await world.asker.choose(
      'Who do people sign in with?',
      found.map(({ module, title }) => ({ value: module, label: title })),
    )
    return found.find(({ module }) => module === id) ?? first
  }
  if (first) {
    const list = found.map(({ module }) => module).join(', ')
    throw new CommandError(`"${wanted}" could be any of these: ${list}. Name one of them.`)
  }
  const close = closestNames(
    wanted ?? '',
    CATALOGUE.map(({ module }) => module),
  )
  throw new CommandError(
    `There is no provider "${wanted}". ` +
      (close.length > 0
        ? `Do you mean ${close.join(' or ')}?`
        : "Any that speaks OpenID Connect works all the same: { id, type: 'oidc', issuer, clientId, clientSecret } in providers."),
  )
}

function popular(): readonly ProviderFacts[] {
  return POPULAR.flatMap(name => CATALOGUE.filter(({ module }) => module === name))
}

import type { Visitor } from '../visitor.ts'
import type { Options } from '../webauthn/software-authenticator.ts'
import { ADDRESS, type Person, type ProviderId, SECRETS, userIn, type World } from './world.ts'

/** Goes to a provider and agrees there. Answers where the provider sends the browser. */
export async function agreeAt(
  world: World,
  browser: Visitor,
  provider: ProviderId,
  who: Person,
  address = ADDRESS[who],
): Promise<URL> {
  const started = await browser.post(`/signin/${provider}`)
  return world.agree(provider, new URL(started.headers.get('location') ?? ''), who, address)
}

/** Signs in at a provider. Answers as which user. */
export async function signIn(
  world: World,
  browser: Visitor,
  provider: ProviderId,
  who: Person,
  address?: string,
): Promise<string | null> {
  await browser.send((await agreeAt(world, browser, provider, who, address)).href)
  return userIn(browser)
}

/** Asks for a link and looks at its page. Answers how to press the button there. */
export async function askForLink(
  world: World,
  browser: Visitor,
  who: Person,
): Promise<() => Promise<Response>> {
  await browser.post('/signin/mail', { email: ADDRESS[who] })
  const { url } = world.links.at(-1) ?? {}
  if (!url) throw new Error('no link was sent')
  await browser.send(url.href)
  return () => browser.confirmLink(url)
}

/** Signs in by a link. Answers as which user. */
export async function openLink(
  world: World,
  browser: Visitor,
  who: Person,
): Promise<string | null> {
  await (await askForLink(world, browser, who))()
  return userIn(browser)
}

/** Signs in by the code beside a link. Answers as which user. */
export async function typeCode(
  world: World,
  browser: Visitor,
  who: Person,
): Promise<string | null> {
  await browser.post('/signin/mail', { email: ADDRESS[who] })
  await browser.post('/signin/mail', { code: world.links.at(-1)?.code ?? '' })
  return userIn(browser)
}

/** Chooses a password behind a link that was asked for. Answers as which user they are in then. */
export async function resetPassword(
  world: World,
  browser: Visitor,
  who: Person,
): Promise<string | null> {
  await browser.post('/password/forgot', { email: ADDRESS[who] })
  const { url } = world.passwordLinks.at(-1) ?? {}
  if (!url) throw new Error('no link was sent')
  await choosePassword(browser, url, SECRETS[who][0])
  return userIn(browser)
}

/** Sends the form behind a link to choose a password by. */
export function choosePassword(
  browser: Visitor,
  { origin, pathname, searchParams }: URL,
  password: string,
): Promise<Response> {
  return browser.post(origin + pathname, { ...Object.fromEntries(searchParams), password })
}

/** Lets a device answer what a page asks of it; null where it has no answer. Answers how to send it. */
export async function usePasskey(
  world: World,
  browser: Visitor,
  who: Person,
  action: 'register' | 'authenticate',
  address: Person = who,
): Promise<(() => Promise<Response>) | null> {
  const query = new URLSearchParams({ action, email: ADDRESS[address] })
  const asked = await browser.get(`/webauthn-options/passkey?${query}`)
  if (asked.status !== 200) return null
  const device = world.devices[who]
  const { options } = (await asked.json()) as { options: Options }
  const allowed = options.allowCredentials ?? []
  const keys = device.keys.map(key => key.id.toString('base64url'))
  const hasKey =
    allowed.length === 0 ? keys.length > 0 : allowed.some(({ id }) => keys.includes(id))
  if (action === 'authenticate' && !hasKey) return null
  const answer = action === 'register' ? device.create(options) : device.get(options)
  return () => browser.post('/callback/passkey', { action, data: JSON.stringify(answer) })
}

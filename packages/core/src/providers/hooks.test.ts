import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import type { TokenSet } from '../lib/base/user.ts'
import type { OAuthConfig } from '../lib/providers/oauth.ts'
import Apple from './apple.ts'
import AzureADB2C from './azure-ad-b2c.ts'
import AzureDevOps from './azure-devops.ts'
import Bungie from './bungie.ts'
import Discord from './discord.ts'
import Dropbox from './dropbox.ts'
import Eventbrite from './eventbrite.ts'
import Foursquare from './foursquare.ts'
import GitHub from './github.ts'
import HubSpot from './hubspot.ts'
import Instagram from './instagram.ts'
import Linear from './linear.ts'
import Mailchimp from './mailchimp.ts'
import MicrosoftEntraID from './microsoft-entra-id.ts'
import Nextcloud from './nextcloud.ts'
import Notion from './notion.ts'
import Trakt from './trakt.ts'
import Twitter from './twitter.ts'
import VK from './vk.ts'
import WeChat from './wechat.ts'
import Yandex from './yandex.ts'

const client = { clientId: 'ID', clientSecret: 'SECRET' }
const tenant = '0c9a5a1e-71e1-4d54-9bd7-8d2b1a7a0a11'
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'

describe('what is asked for a profile', () => {
  it('Bungie: the API key goes along', async () => {
    const { requests } = await userinfo(Bungie({ ...client, apiKey: 'KEY' }), [{ Response: {} }])
    expect(requests).toMatchObject([
      { method: 'GET', headers: { 'x-api-key': 'KEY', authorization: 'Bearer TOKEN' } },
    ])
  })

  it('Dropbox: a POST without a body', async () => {
    const { requests } = await userinfo(Dropbox(client), [{ account_id: '1' }])
    expect(requests).toMatchObject([
      { method: 'POST', body: '', url: 'https://api.dropboxapi.com/2/users/get_current_account' },
    ])
    expect(requests[0]?.headers).not.toHaveProperty('content-type')
  })

  it('Foursquare: the token is in the query, and not in a header', async () => {
    const { requests } = await userinfo(Foursquare(client), [{ response: {} }])
    expect(requests).toMatchObject([
      { url: 'https://api.foursquare.com/v2/users/self?v=20230131&oauth_token=TOKEN' },
    ])
    expect(requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('HubSpot: the token is introspected', async () => {
    const { requests } = await userinfo(HubSpot(client), [{ user_id: 1 }])
    expect(requests).toMatchObject([
      {
        method: 'POST',
        body: 'client_id=ID&client_secret=SECRET&token=TOKEN&token_type_hint=access_token',
      },
    ])
  })

  it('Linear: a GraphQL query', async () => {
    const { requests } = await userinfo(Linear(client), [{ data: {} }])
    expect(requests).toMatchObject([
      { method: 'POST', body: '{"query":"{ viewer { id name email avatarUrl } }"}' },
    ])
  })

  it('Mailchimp and Yandex: another word in front of the token', async () => {
    const expected = [{ headers: { authorization: 'OAuth TOKEN' } }]
    expect((await userinfo(Mailchimp(client), [{}])).requests).toMatchObject(expected)
    expect((await userinfo(Yandex(client), [{}])).requests).toMatchObject(expected)
  })

  it('Nextcloud: the profile is unwrapped', async () => {
    const provider = Nextcloud({ ...client, issuer: 'https://cloud.example.com' })
    const { requests, profile } = await userinfo(provider, [{ ocs: { data: { id: 'ada' } } }])
    expect(requests).toMatchObject([{ headers: { 'ocs-apirequest': 'true' } }])
    expect(profile).toEqual({ id: 'ada' })
  })

  it('Notion: the owner of the integration is the profile', async () => {
    const provider = Notion({ ...client, apiVersion: '2030-01-01' })
    const owner = { bot: { owner: { user: { id: '1' } } } }
    const { requests, profile } = await userinfo(provider, [owner])
    expect(requests).toMatchObject([{ headers: { 'notion-version': '2030-01-01' } }])
    expect(profile).toEqual({ id: '1' })
  })

  it('Trakt: two headers of its own', async () => {
    const { requests } = await userinfo(Trakt(client), [{ ids: {} }])
    expect(requests).toMatchObject([
      { headers: { 'trakt-api-version': '2', 'trakt-api-key': 'ID', 'user-agent': 'siteauth' } },
    ])
  })

  it('an answer that is an error stops the sign-in, and does not give the token away', async () => {
    const refused = new Response('{"error":"denied"}', { status: 403 })
    const failure = await userinfo(Trakt(client), [refused]).catch((error: Error) => error)
    expect(failure).toMatchObject({ type: 'OAuthCallbackError', cause: { error: 'denied' } })
    expect(JSON.stringify([failure, String(failure)])).not.toContain('TOKEN')
  })
})

describe('GitHub', () => {
  const hidden = { id: 1, login: 'ada', email: null }
  const email = (address: string, primary: boolean, verified: boolean) => ({
    email: address,
    primary,
    verified,
  })

  it.each([true, false])('says of a public address that verified is %j', async verified => {
    const shown = { id: 1, login: 'ada', email: 'a@example.com' }
    const emails = [email('a@example.com', false, verified), email('b@example.com', true, true)]
    expect((await userinfo(GitHub(client), [shown, emails])).profile).toMatchObject({
      email: 'a@example.com',
      email_verified: verified,
    })
  })

  it('takes the primary address if it is verified', async () => {
    const emails = [email('a@example.com', false, true), email('b@example.com', true, true)]
    const { requests, profile } = await userinfo(GitHub(client), [hidden, emails])
    expect(requests[1]).toMatchObject({
      url: 'https://api.github.com/user/emails',
      headers: { authorization: 'Bearer TOKEN', 'user-agent': 'siteauth' },
    })
    expect(profile).toMatchObject({ email: 'b@example.com', email_verified: true })
  })

  it('takes no address that is not verified', async () => {
    const emails = [email('b@example.com', true, false)]
    expect((await userinfo(GitHub(client), [hidden, emails])).profile).toMatchObject({
      email: null,
      email_verified: false,
    })
  })

  it('does without where it may not see addresses', async () => {
    const denied = new Response('{}', { status: 403 })
    expect((await userinfo(GitHub(client), [hidden, denied])).profile).toEqual({
      ...hidden,
      email_verified: false,
    })
  })

  it('can be an Enterprise Server', () => {
    const made = GitHub({ enterprise: { baseUrl: 'https://git.example.com/' } })
    expect(made).toMatchObject({
      issuer: 'https://git.example.com/login/oauth',
      authorization: { url: 'https://git.example.com/login/oauth/authorize' },
      token: { url: 'https://git.example.com/login/oauth/access_token' },
      userinfo: { url: 'https://git.example.com/api/v3/user' },
    })
  })
})

describe('Twitter', () => {
  const granted = { scope: 'users.read users.email' }

  it('adds the confirmed address', async () => {
    const answers = [{ data: { id: '1', name: 'Ada' } }, { data: { confirmed_email: 'a@b.c' } }]
    const { profile, requests } = await userinfo(Twitter(client), answers, granted)
    expect(requests[1]?.url).toBe('https://api.x.com/2/users/me?user.fields=confirmed_email')
    expect(profile).toEqual({ data: { id: '1', name: 'Ada', confirmed_email: 'a@b.c' } })
  })

  it('does without where the application may not see addresses', async () => {
    const answers = [{ data: { id: '1' } }, new Response('{}', { status: 403 })]
    const { profile } = await userinfo(Twitter(client), answers, granted)
    expect(profile).toEqual({ data: { id: '1' } })
    const { requests } = await userinfo(Twitter(client), [{ data: {} }], { scope: 'users.read' })
    expect(requests).toHaveLength(1)
  })
})

describe('what is asked for tokens', () => {
  it('WeChat: a GET, with names of its own', async () => {
    const answer = { access_token: 'A', expires_in: 7200, openid: 'O', scope: 'snsapi_userinfo' }
    const { requests, tokens } = await exchange(WeChat(client), answer)
    expect(requests).toMatchObject([
      {
        method: 'GET',
        url: 'https://api.weixin.qq.com/sns/oauth2/access_token?appid=ID&secret=SECRET&code=CODE&grant_type=authorization_code',
      },
    ])
    expect(tokens).toEqual(answer)
    const asked = await userinfo(WeChat(client), [{ openid: 'O' }], { openid: 'O' })
    expect(asked.requests).toMatchObject([
      { url: 'https://api.weixin.qq.com/sns/userinfo?access_token=TOKEN&openid=O&lang=zh_CN' },
    ])
  })

  it('WeChat: websites show a code to scan', () => {
    expect(WeChat({ platformType: 'WebsiteApp' }).authorization).toEqual({
      url: 'https://open.weixin.qq.com/connect/qrconnect',
      params: { scope: 'snsapi_login' },
      fragment: 'wechat_redirect',
    })
  })

  it('VK: the device that the callback named goes along', async () => {
    const { requests, tokens } = await exchange(VK(client), {
      access_token: 'A',
    })
    expect(Object.fromEntries(new URLSearchParams(requests[0]?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'CODE',
      code_verifier: 'VERIFIER',
      device_id: 'DEVICE',
      redirect_uri: 'https://site.example/auth/callback/x',
      client_id: 'ID',
      client_secret: 'SECRET',
    })
    expect(tokens).toMatchObject({ access_token: 'A' })
    const asked = await userinfo(VK(client), [{ user: { user_id: '1' } }])
    expect(asked.requests).toMatchObject([
      { method: 'POST', body: 'client_id=ID&access_token=TOKEN' },
    ])
    expect(asked.profile).toEqual({ user_id: '1' })
  })

  it('Azure DevOps: the secret is the assertion', async () => {
    const answer = { access_token: 'A', token_type: 'jwt-bearer' }
    const { requests, tokens } = await exchange(AzureDevOps(client), answer)
    expect(tokens).toMatchObject({ token_type: 'bearer' })
    const body = new URLSearchParams(requests[0]?.body)
    expect(body.get('client_assertion')).toBe('SECRET')
    expect(body.get('assertion')).toBe('CODE')
    expect(body.has('client_id')).toBe(false)
  })
})

describe('Instagram', () => {
  const conform = async (response: Response) => {
    const { token } = Instagram()
    return typeof token === 'object' ? token.conform?.(response) : undefined
  }

  it('takes tokens out of a list of one', async () => {
    const repaired = await conform(Response.json({ data: [{ access_token: 'A' }] }))
    expect(await repaired?.json()).toEqual({ access_token: 'A' })
  })

  it('leaves every other answer alone', async () => {
    expect(await conform(Response.json({ access_token: 'A' }))).toBeUndefined()
    expect(await conform(new Response('<html>'))).toBeUndefined()
  })
})

describe('Apple', () => {
  it('keeps the name that only the first callback carries', () => {
    const { profileFromCallback } = Apple()
    const user = '{"name":{"firstName":"Ada","lastName":"Lovelace"}}'
    const profile = profileFromCallback?.({ sub: '1' }, { user })
    expect(profile).toEqual({ sub: '1', user: JSON.parse(user) })
  })

  it.each(['', 'no JSON', '[]', 'null'])('does without where the field is %j', user => {
    expect(Apple().profileFromCallback?.({ sub: '1' }, { user })).toEqual({ sub: '1' })
  })

  it('makes its client secret where it has the key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const key = { teamId: 'TEAM', keyId: 'KEY', privateKey: pem.replaceAll('\n', '\\n') }
    const { requests } = await exchange(Apple({ clientId: 'ID', ...key }), { access_token: 'A' })
    const secret = new URLSearchParams(requests[0]?.body).get('client_secret') ?? ''
    const { payload, protectedHeader } = await jwtVerify(
      secret,
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      {
        issuer: 'TEAM',
        subject: 'ID',
        audience: 'https://appleid.apple.com',
      },
    )
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'KEY' })
    expect(payload.exp).toBeGreaterThan(Date.now() / 1000)
  })

  it('leaves the exchange to the engine where the secret is given', () => {
    expect(Apple(client).token).toEqual({ url: 'https://appleid.apple.com/auth/token' })
  })
})

describe('Microsoft Entra ID', () => {
  const issuerFor = (name: string, tid: unknown) => {
    const made = MicrosoftEntraID({ tenantId: name })
    return made.issuerFor?.(made.issuer ?? '', { tid })
  }
  const issuerOf = (id: string) => `https://login.microsoftonline.com/${id}/v2.0`

  it('expects the tenant of the person where several may sign in', () => {
    expect(issuerFor('common', tenant)).toBe(issuerOf(tenant))
    expect(issuerFor('common', personal)).toBe(issuerOf(personal))
    expect(issuerFor('organizations', tenant)).toBe(issuerOf(tenant))
    expect(issuerFor('consumers', personal)).toBe(issuerOf(personal))
  })

  it('expects nobody else where one kind or one tenant may sign in', () => {
    expect(issuerFor('organizations', personal)).toBe(issuerOf('organizations'))
    expect(issuerFor('consumers', tenant)).toBe(issuerOf('consumers'))
    expect(issuerFor(tenant, personal)).toBe(issuerOf(tenant))
    expect(issuerFor('common', '../evil')).toBe(issuerOf('common'))
    expect(issuerFor('common', undefined)).toBe(issuerOf('common'))
    expect(issuerFor('example.com', tenant)).toBe(issuerOf('example.com'))
  })

  it('takes the issuer from its variable, and without a slash at the end', () => {
    vi.stubEnv('AUTH_MICROSOFT_ENTRA_ID_ISSUER', `${issuerOf(tenant)}/`)
    expect(MicrosoftEntraID().issuer).toBe(issuerOf(tenant))
    expect(MicrosoftEntraID({ issuer: issuerOf('common') }).issuer).toBe(issuerOf('common'))
    expect(MicrosoftEntraID({ tenantId: 'common' }).issuer).toBe(issuerOf('common'))
  })

  it('leaves the endpoints of other issuers to their metadata', () => {
    const made = MicrosoftEntraID({ issuer: 'https://sts.windows.net/x' })
    expect(made).not.toHaveProperty('token')
  })

  const tokens: TokenSet = { access_token: 'TOKEN' }
  const photo = async (answer: () => Promise<Response>, options = {}) => {
    const ask = vi.fn<typeof fetch>(answer)
    const profile = MicrosoftEntraID(options).profile as unknown as (
      profile: object,
      tokens: TokenSet,
      context: { fetch: typeof fetch },
    ) => Promise<{ image: string | null }>
    return { user: await profile({ sub: '1' }, tokens, { fetch: ask }), ask }
  }

  it('keeps the picture as a data URI', async () => {
    const headers = { 'content-type': 'image/jpeg' }
    const bytes = new Uint8Array([255, 216, 255, 224])
    const { user, ask } = await photo(async () => new Response(bytes, { headers }), {
      profilePhotoSize: 96,
    })
    expect(user).toMatchObject({ id: '1', image: 'data:image/jpeg;base64,/9j/4A==' })
    expect(ask.mock.calls[0]?.[0]).toBe('https://graph.microsoft.com/v1.0/me/photos/96x96/$value')
  })

  it('signs in without a picture where there is none', async () => {
    const missing = await photo(async () => new Response('{}', { status: 404 }))
    expect(missing.user.image).toBeNull()
    const page = await photo(async () => new Response('<html>'))
    expect(page.user.image).toBeNull()
    const broken = await photo(() => Promise.reject(new Error('no network')))
    expect(broken.user.image).toBeNull()
  })

  it('does not ask where it was told so', async () => {
    const { ask } = await photo(async () => new Response(), { disableProfilePhoto: true })
    expect(ask).not.toHaveBeenCalled()
  })
})

describe('Azure AD B2C', () => {
  it('expects the tenant by its id, on the same host', () => {
    const options = { tenantName: 'acme', primaryUserFlow: 'B2C_1_in' }
    const { issuer = '', issuerFor } = AzureADB2C(options)
    expect(issuer).toBe('https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_in/v2.0')
    const own = `https://acme.b2clogin.com/${tenant}/v2.0/`
    expect(issuerFor?.(issuer, { iss: own })).toBe(own)
    const withPolicy = `https://acme.b2clogin.com/tfp/${tenant}/b2c_1_in/v2.0/`
    expect(issuerFor?.(issuer, { iss: withPolicy })).toBe(withPolicy)
    expect(issuerFor?.(issuer, { iss: `https://evil.example/${tenant}/v2.0/` })).toBe(issuer)
    expect(issuerFor?.(issuer, { iss: 'https://acme.b2clogin.com/other' })).toBe(issuer)
  })
})

describe('pictures', () => {
  it.each([
    [{ avatar: 'a_1f' }, 'avatars/80351110224678912/a_1f.gif'],
    [{ avatar: '1f' }, 'avatars/80351110224678912/1f.png'],
    [{ avatar: null, discriminator: '0' }, 'embed/avatars/5.png'],
    [{ avatar: null }, 'embed/avatars/5.png'],
    [{ avatar: null, discriminator: '1337' }, 'embed/avatars/2.png'],
  ])('Discord: %j', (profile, path) => {
    const user = Discord().profile?.({ id: '80351110224678912', username: 'ada', ...profile }, {})
    expect(user).toMatchObject({ image: `https://cdn.discordapp.com/${path}` })
  })

  it('Eventbrite and Yandex: none where there is none', () => {
    expect(Eventbrite().profile?.({ id: '1', name: 'Ada' }, {})).toMatchObject({
      email: null,
      image: null,
    })
    const empty = { id: '1', is_avatar_empty: true, default_avatar_id: '0/0-0' }
    expect(Yandex().profile?.(empty, {})).toMatchObject({ image: null })
  })
})

interface Asked {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/** A `fetch` that answers with each of these in turn, and remembers what it was asked. */
function fakeFetch(answers: unknown[]): { fetch: typeof fetch; requests: Asked[] } {
  const requests: Asked[] = []
  const left = [...answers]
  const fake: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    requests.push({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    })
    const answer = left.shift()
    return answer instanceof Response ? answer : Response.json(answer)
  }
  return { fetch: fake, requests }
}

async function userinfo<P>(made: OAuthConfig<P>, answers: unknown[], more: TokenSet = {}) {
  const { fetch, requests } = fakeFetch(answers)
  const { userinfo } = made
  if (typeof userinfo !== 'object' || !userinfo.url) throw new Error('expected an endpoint')
  const provider = {
    ...made,
    ...made.options,
    userinfo: { ...userinfo, url: new URL(userinfo.url) },
  }
  const tokens = { access_token: 'TOKEN', ...more }
  const profile = await userinfo.request?.({ tokens, fetch, provider: provider as never })
  return { profile, requests }
}

async function exchange<P>(made: OAuthConfig<P>, answer: unknown) {
  const { fetch, requests } = fakeFetch([answer])
  const { token } = made
  if (typeof token !== 'object') throw new Error('expected an endpoint')
  const tokens = await token.request?.({
    provider: { ...made, ...made.options } as never,
    params: { code: 'CODE', device_id: 'DEVICE' },
    redirectUri: 'https://site.example/auth/callback/x',
    codeVerifier: 'VERIFIER',
    fetch,
  })
  return { tokens, requests }
}

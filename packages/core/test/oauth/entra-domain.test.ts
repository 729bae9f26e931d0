import MicrosoftEntraID from '@siteauth/core/providers/microsoft-entra-id'
import { describe, expect, it } from 'vitest'
import { createTestAuth, Visitor } from '../visitor.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from './fake-server.ts'

const TENANT = '11111111-2222-3333-4444-555555555555'
const OTHER = '99999999-8888-7777-6666-555555555555'
const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

/** An application that admits the tenant with the domain example.com, whose metadata are found under that name. */
async function setUp(options: { tenantId: string } | { issuer: string }) {
  const op = await createFakeServer({ issuer: issuerOf(TENANT), advertiseIss: false })
  const requested: string[] = []
  const { handle, errors } = createTestAuth({
    providers: [
      MicrosoftEntraID({
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        disableProfilePhoto: true,
        ...options,
      }),
    ],
    ports: {
      fetch: async (input, init) => {
        requested.push(String(input))
        return op.fetch(String(input).replace('/example.com/', `/${TENANT}/`), init)
      },
    },
  })
  return {
    op,
    errors,
    requested,
    async signIn() {
      const visitor = new Visitor(handle)
      const started = await visitor.post('/signin/microsoft-entra-id')
      const url = new URL(started.headers.get('location') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = op.authorize(url).toString()
      await visitor.send(back.href)
      return visitor.session()
    },
  }
}

describe.each([
  ['tenantId', { tenantId: 'example.com' }],
  ['issuer', { issuer: issuerOf('example.com') }],
])('Microsoft Entra ID with a domain as %s', (_, options) => {
  it('requests the id of the tenant, and accepts its tokens', async () => {
    const { op, requested, signIn } = await setUp(options)
    op.faults.claims = claims => ({ ...claims, tid: TENANT })
    expect(await signIn()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(requested[0]).toBe(`${issuerOf('example.com')}/.well-known/openid-configuration`)
  })

  it('refuses a token of another tenant, though the keys are the same', async () => {
    const { op, signIn } = await setUp(options)
    op.faults.claims = claims => ({ ...claims, iss: issuerOf(OTHER), tid: OTHER })
    expect(await signIn()).toBeNull()
  })

  it.each([
    '',
    'x',
    'a.b.c',
    `a.${Buffer.from('no JSON').toString('base64url')}.c`,
    `a.${Buffer.from([0xff, 0xfe]).toString('base64url')}.c`,
    `a.${Buffer.from('["a list"]').toString('base64url')}.c`,
  ])('refuses %j, which has no claims to find the tenant in', async text => {
    const { op, errors, signIn } = await setUp(options)
    op.faults.idToken = () => text
    expect(await signIn()).toBeNull()
    expect(errors[0]?.message).toMatch(/the id_token is not a JWT|expected an id_token/)
  })

  it('refuses every token if the metadata name no tenant', async () => {
    const { op, signIn } = await setUp(options)
    op.faults.metadata = document => ({ ...document, issuer: issuerOf('{tenantid}') })
    op.faults.claims = claims => ({ ...claims, iss: issuerOf(TENANT), tid: TENANT })
    expect(await signIn()).toBeNull()
  })
})

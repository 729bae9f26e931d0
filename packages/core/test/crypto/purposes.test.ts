import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import type { Limiter } from '../../src/lib/base/stores.ts'
import { PURPOSES } from '../../src/lib/crypto/purposes.ts'
import { ANN, askForLink, passwordApplication } from '../passwords/application.ts'
import { SECRET } from '../visitor.ts'

const SOURCES = fileURLToPath(new URL('../../src/lib', import.meta.url))

/** Where a source uses a secret for a purpose of its own: the text of the purpose is the first group. */
const USES: readonly RegExp[] = [
  /\bsealerFor\(\s*'([^']+)'/g,
  /\bderiveBits\(\s*[^,()]+(?:\([^)]*\))?,\s*'([^']+)'/g,
  /\bderivedUuid\(\s*[^,()]+,\s*'([^']+)'/g,
  /\bdigest\(\s*'SHA-\d+',\s*`([a-z][a-z -]*?) \$\{/g,
  /_PURPOSE = '([^']+)'/g,
  /=> `([a-z]+) \$\{secret\}`/g,
]

const all: readonly string[] = Object.values(PURPOSES)

it('stays byte by byte what stored data and cookies were made with', () => {
  expect(PURPOSES).toEqual({
    proxyState: 'encodedState',
    accountTokens: 'siteauth.account',
    logoutHint: 'siteauth.hint',
    logoutState: 'siteauth.logout',
    logoutTicket: 'siteauth.logout-ticket',
    signUpMarker: 'siteauth sign-up',
    sessionAudience: 'siteauth session',
    sessionRotation: 'siteauth rotation',
    sessionReplaced: 'siteauth replaced',
    sessionHandle: 'siteauth session handle',
    sessionBinding: 'siteauth session binding',
    userHandle: 'webauthn-user-handle',
    decoys: 'webauthn-decoys',
    limit: 'limit',
    account: 'account',
    emailCode: 'email code',
    emailLink: 'email link',
    challenge: 'webauthn-challenge',
    refreshToken: 'siteauth refresh token',
    passwordLink: 'password',
  })
})

it('is no other purpose', () => {
  expect(new Set(all).size).toBe(all.length)
})

it('is in the table, whichever source uses it', () => {
  const used = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => {
      const code = readFileSync(join(SOURCES, file), 'utf8')
      return USES.flatMap(use => [...code.matchAll(use)].map(([, purpose = '']) => purpose))
    })
  expect(used.filter(purpose => !all.includes(purpose))).toEqual([])
})

it('makes the keys of limits and of links to choose a password as before', async () => {
  const take = vi.fn<Limiter['take']>(() => 0)
  const app = passwordApplication({
    limits: { limiter: { take, forget: () => {} } },
    clientAddress: () => '192.0.2.1',
  })
  const visitor = app.visitor()
  const stored = vi.spyOn(app.adapter, 'createVerificationToken')
  const link = await askForLink(app, visitor, 'forgot')

  const network = hash(`limit 192.0.2.1 ${SECRET}`, 'base64url').slice(0, 22)
  expect(take.mock.calls.map(([key]) => key)).toContain(`email.n.${network}`)

  const token = link.searchParams.get('token') ?? ''
  const account = hash(`account ${ANN} ${SECRET}`, 'base64url').slice(0, 22)
  expect(stored).toHaveBeenCalledWith(
    expect.objectContaining({
      identifier: `password:${account}`,
      token: hash(`${JSON.stringify([ANN, token, null])}password ${SECRET}`, 'hex'),
    }),
  )
})

function hash(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}

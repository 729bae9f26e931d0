import Credentials from '@siteauth/core/providers/credentials'
import { expect, it } from 'vitest'
import { createTestAuth, Visitor, warningsOf } from '../visitor.ts'

const AUTH_URL = 'https://app.example.com'

/** How often a wrong password is answered before the visitor has to wait, of twenty times. */
async function guessesWith(env: Readonly<Record<string, string>>): Promise<number> {
  const providers = [Credentials({ credentials: { name: {} }, authorize: () => null })]
  const { handle } = createTestAuth({ providers }, { ...env, AUTH_URL })
  const visitor = new Visitor(handle)
  let answered = 0
  while (answered < 20) {
    const { status } = await visitor.post('/callback/credentials', { name: 'ann' })
    if (status === 429) break
    answered += 1
  }
  return answered
}

const PUBLIC = ['production', '', 'Development', 'dev', 'prodution', 'staging', ' test']

it.each(PUBLIC)('NODE_ENV=%j counts as production for limits', async NODE_ENV => {
  expect(await guessesWith({ NODE_ENV })).toBeLessThan(20)
})

it.each(PUBLIC)('NODE_ENV=%j counts as production for hosts', async NODE_ENV => {
  const auth = createTestAuth({}, { NODE_ENV })
  const { status } = await auth.handle(new Request('https://evil.example/auth/csrf'))
  expect(status).toBeGreaterThanOrEqual(400)
})

it.each(PUBLIC)('NODE_ENV=%j counts as production for warnings', async NODE_ENV => {
  const auth = createTestAuth({ trustHost: true }, { NODE_ENV })
  expect(await warningsOf(auth)).toContain('any-host-trusted')
  const plain = createTestAuth({}, { NODE_ENV, AUTH_URL: 'http://app.example.com' })
  expect(await warningsOf(plain)).toContain('insecure-url')
})

it.each(['development', 'test'])('NODE_ENV=%j switches these off', async NODE_ENV => {
  expect(await guessesWith({ NODE_ENV })).toBe(20)
  const auth = createTestAuth({ trustHost: true }, { NODE_ENV })
  expect(await warningsOf(auth)).not.toContain('any-host-trusted')
})

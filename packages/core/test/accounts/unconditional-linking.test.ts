import type { Adapter } from '@siteauth/core/adapters'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth } from '../visitor.ts'

const MAIL = { id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: () => {} } as const

const PROVIDER = {
  id: 'op',
  name: 'OP',
  type: 'oauth',
  clientId: 'id',
  clientSecret: 'secret',
  authorization: 'https://op.test/authorize',
  token: 'https://op.test/token',
  userinfo: 'https://op.test/userinfo',
} as const

async function warningsFor(adapter: Adapter, providers: readonly object[]): Promise<string[]> {
  const warned: string[] = []
  const auth = createTestAuth({
    adapter,
    providers: providers as never,
    logger: { warn: code => void warned.push(code) },
  })
  await auth.handle(new Request('https://app.example.com/auth/providers'))
  return warned.filter(code => code === 'unconditional-linking')
}

const without = (...names: (keyof Adapter)[]): Adapter =>
  Object.fromEntries(
    Object.entries(MemoryAdapter()).filter(([name]) => !names.includes(name as keyof Adapter)),
  )

it('an adapter that links, or stores a proof, before it checks is warned about if that can hurt anybody', async () => {
  const link = 'linkAccountIf'
  expect(await warningsFor(without(link), [MAIL, PROVIDER])).toEqual(['unconditional-linking'])
  expect(await warningsFor(without('claimUser'), [MAIL, PROVIDER])).toEqual([
    'unconditional-linking',
  ])
  const trusted = { ...PROVIDER, allowDangerousEmailAccountLinking: true }
  expect(await warningsFor(without(link), [trusted])).toEqual(['unconditional-linking'])
  expect(await warningsFor(without(), [MAIL, PROVIDER])).toEqual([])
  // Nobody proves an address, or nobody links anything.
  expect(await warningsFor(without(link), [PROVIDER])).toEqual([])
  expect(await warningsFor(without(link), [MAIL])).toEqual([])
  // With the methods of Auth.js, the owner of an address gets a row that nobody else is in.
  expect(await warningsFor(without(link, 'createUserWithAccount'), [MAIL, PROVIDER])).toEqual([])
})

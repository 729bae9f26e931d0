import type { VerificationToken } from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase, RequiredAdapter } from './adapter-case.ts'
import { expectDate, sampleToken } from './samples.ts'

const NEEDS = ['createVerificationToken', 'useVerificationToken'] as const

export const VERIFICATION_CASES: readonly AdapterCase[] = [
  {
    name: 'useVerificationToken answers the token once, then null',
    needs: NEEDS,
    async run(adapter) {
      const token = sampleToken()
      await adapter.createVerificationToken(token)
      expectToken(await use(adapter, token), token)
      expect(await use(adapter, token)).toBeNull()
    },
  },
  {
    name: 'createVerificationToken answers the token, or nothing',
    needs: ['createVerificationToken'],
    async run(adapter) {
      const token = sampleToken()
      const result = await adapter.createVerificationToken(token)
      if (result) expectToken(result, token)
    },
  },
  {
    name: 'the answer of useVerificationToken has no fields of the store’s own',
    needs: NEEDS,
    async run(adapter) {
      const token = sampleToken()
      await adapter.createVerificationToken(token)
      const result = await use(adapter, token)
      expect(Object.keys(result ?? {}).sort()).toEqual(['expires', 'identifier', 'token'])
    },
  },
  {
    name: 'useVerificationToken answers null for a token that was never made',
    needs: ['useVerificationToken'],
    async run(adapter) {
      expect(await use(adapter, sampleToken())).toBeNull()
    },
  },
  {
    name: 'a wrong identifier answers null and does not use the token up',
    needs: NEEDS,
    async run(adapter) {
      const token = sampleToken()
      await adapter.createVerificationToken(token)
      const { identifier } = sampleToken()
      expect(await use(adapter, { ...token, identifier })).toBeNull()
      expectToken(await use(adapter, token), token)
    },
  },
  {
    name: 'a wrong token answers null and does not use the right one up',
    needs: NEEDS,
    async run(adapter) {
      const token = sampleToken()
      await adapter.createVerificationToken(token)
      expect(await use(adapter, { ...token, token: sampleToken().token })).toBeNull()
      expectToken(await use(adapter, token), token)
    },
  },
  {
    // Passkeys rely on it: a challenge that was answered is stored as a token.
    name: 'one token cannot be stored twice',
    needs: NEEDS,
    async run(adapter) {
      const token = sampleToken()
      await adapter.createVerificationToken(token)
      const again = async () => adapter.createVerificationToken(token)
      await expect(again()).rejects.toThrow()
      expectToken(await use(adapter, token), token)
    },
  },
  {
    name: 'one identifier may have several tokens, each used by itself',
    needs: NEEDS,
    async run(adapter) {
      const one = sampleToken()
      const two = sampleToken({ identifier: one.identifier })
      await adapter.createVerificationToken(one)
      await adapter.createVerificationToken(two)
      expectToken(await use(adapter, two), two)
      expectToken(await use(adapter, one), one)
    },
  },
  {
    name: 'an identifier in other letters is another identifier',
    needs: NEEDS,
    async run(adapter) {
      const identifier = `abc${sampleToken().identifier}`
      const token = sampleToken({ identifier })
      await adapter.createVerificationToken(token)
      for (const other of [identifier.replace('abc', 'ABC'), `${identifier} `]) {
        expect(await use(adapter, { ...token, identifier: other }), other).toBeNull()
      }
      expectToken(await use(adapter, token), token)
    },
  },
  {
    name: 'an expired token is answered with its date, or not at all, and never twice',
    needs: NEEDS,
    async run(adapter) {
      const token = sampleToken({ expires: new Date(Date.now() - 60_000) })
      await adapter.createVerificationToken(token)
      const result = await use(adapter, token)
      if (result) expectToken(result, token)
      else expect(result).toBeNull()
      expect(await use(adapter, token)).toBeNull()
    },
  },
  {
    name: 'Unicode and long identifiers come back as they were given',
    needs: NEEDS,
    async run(adapter) {
      const long = `${'a'.repeat(64)}.${crypto.randomUUID()}@${'b.'.repeat(70)}example`
      for (const identifier of [`zoë.${crypto.randomUUID()}@bücher.example`, long]) {
        const token = sampleToken({ identifier })
        await adapter.createVerificationToken(token)
        expectToken(await use(adapter, token), token)
      }
    },
  },
  ...[2, 200].map(count => ({
    name: `of ${count} concurrent uses of one token exactly one gets it`,
    needs: NEEDS,
    async run(adapter: RequiredAdapter) {
      const token = sampleToken()
      await adapter.createVerificationToken(token)
      const uses = await Promise.allSettled(
        Array.from({ length: count }, async () => use(adapter, token)),
      )
      // One that cannot get a turn may fail, but it must not get the token.
      const winners = uses.filter(each => each.status === 'fulfilled' && each.value !== null)
      expect(winners).toHaveLength(1)
    },
  })),
]

async function use(adapter: RequiredAdapter, { identifier, token }: VerificationToken) {
  // biome-ignore lint/correctness/useHookAtTopLevel: a method of adapters, and no hook of React
  return adapter.useVerificationToken({ identifier, token })
}

function expectToken(actual: VerificationToken | null, expected: VerificationToken): void {
  const { identifier, token, expires } = expected
  expect(actual).toMatchObject({ identifier, token })
  expectDate(actual?.expires, expires)
}

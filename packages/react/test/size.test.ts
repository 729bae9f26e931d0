import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bundle } from './bundle.ts'

it('weighs little more than 3 kB in a browser: the provider, the hook and signing in', async () => {
  const script = await bundle(
    `export { SessionProvider, signIn, useSession } from '@siteauth/react'`,
    'external',
  )
  const bytes = gzipSync(script, { level: 9 }).length
  expect(bytes).toBeLessThan(3050)
  expect(script, 'what only the list of sessions needs').not.toContain('sessions')
  expect(script).not.toMatch(/node:|process\.|AUTH_SECRET|oauth4webapi/)
})

import { defineConfig } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { expect } from 'vitest'
import { signInAs } from '../src/index.ts'

// What the attacks on each framework begin with.

/** A site that lets everybody in by their name. */
export const config = defineConfig({
  secret: 'a test secret that is long enough!',
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: '1', name: `${name}` }),
    }),
  ],
})

const DAY = 86_400_000

/** What the browser sends of somebody who signed in some days ago. */
export async function headersOf(
  name: string,
  { daysAgo = 0, url = 'http://localhost' } = {},
): Promise<{ cookie: string }> {
  const at = new Date(Date.now() - daysAgo * DAY)
  return (await signInAs(config, { id: name, name }, { url, at, env: { NODE_ENV: 'test' } }))
    .headers
}

/** A cookie that signs in. */
export const SESSION = expect.stringMatching(/^authjs\.session-token=.+/)

/** What keeps an answer out of every cache. */
export const NEVER = 'private, no-cache, no-store'

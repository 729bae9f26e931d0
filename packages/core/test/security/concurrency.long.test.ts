import { Auth, type AuthConfig } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { watchRejections } from '../bad-input/door.ts'
import { ANN, BOB, ORIGIN, SESSION_COOKIE } from '../spec/application.ts'
import { memoryAdapter } from '../spec/memory-adapter.ts'
import { recordingLogger, Visitor } from '../visitor.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

const FLOWS = 200

const unheard = watchRejections()
afterAll(async () => expect(await unheard()).toEqual([]))

/** Delays that differ from one another, and are the same in every run. */
function delays(seed: number): () => Promise<void> {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return new Promise(resolve => setTimeout(resolve, state % 4))
  }
}

/** A configuration that waits at every turn, and marks whatever passes through it. */
function slowConfig(
  mark: string,
  seed: number,
  store: AuthConfig['adapter'] | undefined,
): AuthConfig {
  const pause = delays(seed)
  return {
    providers: [
      Credentials({
        async authorize({ username, flow }) {
          await pause()
          const person = [ANN, BOB].find(each => each.name === username)
          return person ? { ...person, image: `${mark}/${flow}` } : null
        },
      }),
    ],
    secret: `the secret of the configuration named ${mark}`,
    basePath: `/${mark}`,
    trustHost: true,
    logger: recordingLogger().logger,
    ...(store && { adapter: slowStore(store, pause) }),
    callbacks: {
      async signIn({ user, credentials }) {
        await pause()
        return user.name === credentials?.['username']
      },
      async redirect({ url, baseUrl }) {
        await pause()
        return url.startsWith('/') ? `${baseUrl}${url}&by=${mark}` : url
      },
      async jwt({ token, trigger, session }) {
        await pause()
        return trigger === 'update' ? { ...token, note: session } : token
      },
      async session({ session, token, user, newSession }) {
        await pause()
        const name = token?.name ?? user?.name
        return Object.assign({ ...session }, { mark, name, note: newSession ?? token?.['note'] })
      },
    },
  }
}

function slowStore(
  store: NonNullable<AuthConfig['adapter']>,
  pause: () => Promise<void>,
): NonNullable<AuthConfig['adapter']> {
  const slow = Object.entries(store).map(([name, method]) => [
    name,
    async (...args: never[]) => {
      await pause()
      const answer: unknown = await Reflect.apply(method, store, args)
      await pause()
      return answer
    },
  ])
  return Object.fromEntries(slow)
}

describe('200 flows at once, of two people in two configurations', () => {
  it('never get each other’s answers', async () => {
    const { adapter, sessions } = memoryAdapter([ANN, BOB])
    const configs = [
      { mark: 'sealed', config: slowConfig('sealed', 1, undefined) },
      { mark: 'stored', config: slowConfig('stored', 2, adapter) },
    ] as const
    const pause = delays(3)

    async function flow(index: number): Promise<void> {
      const { mark, config } = configs[index % 2] ?? configs[0]
      const person = index % 4 < 2 ? ANN : BOB
      const visitor = new Visitor(request => Auth(request, config), `${ORIGIN}/${mark}`)

      await pause()
      const csrfToken = await visitor.csrfToken()
      await pause()
      const body = new URLSearchParams({
        csrfToken,
        username: person.name,
        flow: `${index}`,
        callbackUrl: `/inbox?flow=${index}`,
      })
      const entered = await visitor.send('/callback/credentials', { method: 'POST', body })
      expect(entered.headers.get('location')).toBe(`${ORIGIN}/inbox?flow=${index}&by=${mark}`)

      const image = mark === 'sealed' ? `${mark}/${index}` : person.image
      const expected = { mark, name: person.name, user: { name: person.name, image } }
      const reads = [visitor.session(), visitor.session(), visitor.session()]
      for (const session of await Promise.all(reads)) expect(session).toMatchObject(expected)

      const note = `note of ${index}`
      const updated = await visitor.postJson('/session', { data: note })
      expect(await updated.json()).toMatchObject({ ...expected, note })
      await pause()
      expect(await visitor.session()).toMatchObject(
        mark === 'sealed' ? { ...expected, note } : expected,
      )

      // A token of one configuration counts for nothing in the other.
      const other = configs[(index + 1) % 2] ?? configs[1]
      const stranger = new Visitor(
        request => Auth(request, other.config),
        `${ORIGIN}/${other.mark}`,
      )
      stranger.cookies.set(SESSION_COOKIE, visitor.cookies.get(SESSION_COOKIE) ?? '')
      expect(await stranger.session()).toBeNull()

      const left = await visitor.post('/signout', { callbackUrl: `/bye?flow=${index}` })
      expect(left.headers.get('location')).toBe(`${ORIGIN}/bye?flow=${index}&by=${mark}`)
      expect(await visitor.session()).toBeNull()
    }

    await Promise.all(Array.from({ length: FLOWS }, (_, index) => flow(index)))
    expect(sessions.size).toBe(0)
  })
})

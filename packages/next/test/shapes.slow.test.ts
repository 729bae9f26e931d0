import { afterAll, describe, expect, it } from 'vitest'
import { createApp, EXAMPLE, type NextVersion, proxyFile } from './next-app.ts'
import { createVisitor } from './visitor.ts'

/**
 * How a proxy can be exported, beside how the others do it: `forms` has a function of its own as default,
 * the example below passes `auth` on under its name. Which function it is, is for proxy.test.ts.
 */
const SHAPES: readonly (readonly [string, NextVersion, string])[] = [
  [
    'the default, as it was made',
    16,
    `import SiteAuth from '@siteauth/next'
    import { config as settings } from './config'
    export default SiteAuth(settings).auth`,
  ],
  [
    'a wrapped function under its name',
    16,
    `import { auth } from './auth'
    export const proxy = auth(() => undefined)`,
  ],
  // Of Next 15, what differs by its name is enough.
  ['passed on under its name', 15, `export { auth as middleware } from './auth'`],
]

// A page of the older kind is built sooner, and none of these requests reaches it.
const parts = [
  'next.config.mjs',
  'package.json',
  'auth.ts',
  'config.ts',
  'count.ts',
  'pages/old.tsx',
]

describe('the proxy', () => {
  const app = createApp(16, 'shapes', parts)
  const older = createApp(15, 'shapes', parts)

  afterAll(() => {
    app.remove()
    older.remove()
  })

  it.each(SHAPES)(
    'can be %s, with Next %i',
    async (_shape, version, text) => {
      const { write, build, start } = version === 16 ? app : older
      write(proxyFile(version), `${text}\nexport const config = { matcher: '/private' }\n`)
      await build({}, '--turbopack')
      const running = await start()
      try {
        const { status, location } = await createVisitor(running.origin).get('/private')
        expect(status).toBe(307)
        expect(location).toContain('/login?callbackUrl=')
      } finally {
        await running.stop()
      }
    },
    600_000,
  )

  it('works in development, and once more after it was changed', async () => {
    app.write('proxy.ts', `export { auth as proxy } from './auth'`)
    const running = await app.dev()
    try {
      const visitor = createVisitor(running.origin)
      const { status, location } = await visitor.get('/private')
      expect([status, location?.split('=')[0]]).toEqual([307, '/login?callbackUrl'])
      app.write(
        'proxy.ts',
        `import { auth } from './auth'\nexport default auth(() => Response.json(1))`,
      )
      await expect.poll(async () => (await visitor.get('/')).who, { timeout: 60_000 }).toBe(1)
    } finally {
      await running.stop()
    }
  }, 600_000)
})

it('signs in, shows a section to those who may see it, and signs out, in the example', async () => {
  const example = createApp(16, 'example', undefined, EXAMPLE)
  await example.build()
  const running = await example.start()
  try {
    const visitor = createVisitor(running.origin)
    expect((await visitor.get('/')).text).toContain('Hello, stranger')
    expect((await visitor.get('/admin')).location).toContain('/login?callbackUrl=')
    const wrong = await visitor.submit('/login', { login: 'ada', password: 'no' })
    expect(wrong.text).toContain('Wrong name or password')
    const path = `/login?callbackUrl=${encodeURIComponent('/admin')}`
    const entered = await visitor.submit(path, { login: 'ada', password: 'open sesame' })
    expect(new URL(entered.location ?? '', running.origin).pathname).toBe('/admin')
    expect((await visitor.get('/admin')).text).toContain('Administration')
    await visitor.submit('/', {})
    expect((await visitor.get('/')).text).toContain('Hello, stranger')
  } finally {
    await running.stop()
    example.remove()
  }
}, 600_000)

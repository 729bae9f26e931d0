import { afterAll, describe, expect, it } from 'vitest'
import { createApp, EXAMPLE, type NextVersion, proxyFile } from './next-app.ts'
import { createVisitor } from './visitor.ts'

/** How a proxy can be exported, beside how the example does it. `name` is what Next calls it. */
const shapes = (name: string): Readonly<Record<string, string>> => ({
  ...(name === 'middleware' && {
    'passed on under its name': `export { auth as ${name} } from './auth'`,
  }),
  'the default, as it was made': `
    import SiteAuth from '@siteauth/next'
    import { config as settings } from './config'
    export default SiteAuth(settings).auth`,
  'a wrapped function under its name': `
    import { auth } from './auth'
    export const ${name} = auth(() => undefined)`,
  'a lazily configured wrapper as default': `
    import { lazy } from './auth'
    export default lazy.auth(async () => {})`,
  'made on the spot': `
    import SiteAuth from '@siteauth/next'
    import { config as settings } from './config'
    const { auth } = SiteAuth(settings)
    export const ${name} = auth`,
})

// A page of the older kind is built sooner, and none of these requests reaches it.
const parts = [
  'next.config.mjs',
  'package.json',
  'auth.ts',
  'config.ts',
  'count.ts',
  'pages/old.tsx',
]

describe.each<NextVersion>([16, 15])('the proxy of Next %i', version => {
  const app = createApp(version, 'shapes', parts)
  const file = proxyFile(version)

  afterAll(() => app.remove())

  // How a function is exported is the same in both: of Next 15, what differs by its name is enough.
  const all = Object.entries(shapes(file.replace('.ts', '')))
  it.each(version === 16 ? all : all.slice(0, 2))(
    'can be %s',
    async (_shape, text) => {
      app.write(file, `${text}\nexport const config = { matcher: '/private' }\n`)
      await app.build({}, '--turbopack')
      const running = await app.start()
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

  it.runIf(version === 16)(
    'works in development, and once more after it was changed',
    async () => {
      app.write(file, `export { auth as proxy } from './auth'`)
      const running = await app.dev()
      try {
        const visitor = createVisitor(running.origin)
        const { status, location } = await visitor.get('/private')
        expect([status, location?.split('=')[0]]).toEqual([307, '/login?callbackUrl'])
        app.write(
          file,
          `import { auth } from './auth'\nexport default auth(() => Response.json(1))`,
        )
        await expect.poll(async () => (await visitor.get('/')).who, { timeout: 60_000 }).toBe(1)
      } finally {
        await running.stop()
      }
    },
    600_000,
  )
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
    expect(wrong.text).toContain('do not belong together')
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

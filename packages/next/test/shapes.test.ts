import { afterAll, describe, expect, it } from 'vitest'
import { createApp, type NextVersion, proxyFile } from './next-app.ts'
import { createVisitor } from './visitor.ts'

/** How a proxy can be exported, as the guide says it. `name` is what Next calls it. */
const shapes = (name: string): Readonly<Record<string, string>> => ({
  'passed on under its name': `export { auth as ${name} } from './auth'`,
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

const parts = [
  'next.config.mjs',
  'package.json',
  'auth.ts',
  'config.ts',
  'count.ts',
  'app/layout.tsx',
]

describe.each<NextVersion>([16, 15])('the proxy of Next %i', version => {
  const app = createApp(version, 'shapes', [...parts, 'app/who.tsx', 'app/private'])
  const file = proxyFile(version)

  afterAll(() => app.remove())

  it.each(Object.entries(shapes(file.replace('.ts', ''))))(
    'can be %s',
    async (_shape, text) => {
      app.write(file, `${text}\nexport const config = { matcher: '/private' }\n`)
      await app.build()
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

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp, EXAMPLE, type NextApp, type RunningApp } from './next-app.ts'
import { createVisitor } from './visitor.ts'

// In development, where pages are compiled when they are asked for. Applications are built in `forms`,
// `base-path` and `from-authjs`.
describe('the example, in development', { timeout: 600_000 }, () => {
  let app: NextApp
  let running: RunningApp

  beforeAll(async () => {
    app = createApp(16, 'example', { from: EXAMPLE })
    running = await app.dev()
  }, 600_000)

  afterAll(async () => {
    await running?.stop()
    app.remove()
  })

  it('signs in, shows a section to those who may see it, and signs out', async () => {
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
  })

  it.each([
    ['a wrapped function under its name', 'export const proxy =', 1],
    ['a wrapped function as the default', 'export default', 2],
  ])('follows when its proxy becomes %s', async (_shape, beginning, answer) => {
    const wrapped = `auth(() => Response.json(${answer}))`
    app.write('proxy.ts', `import { auth } from './auth'\n${beginning} ${wrapped}`)
    const visitor = createVisitor(running.origin)
    await expect.poll(async () => (await visitor.get('/')).who, { timeout: 60_000 }).toBe(answer)
  })
})

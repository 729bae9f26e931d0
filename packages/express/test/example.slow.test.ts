import { describe, expect, it, vi } from 'vitest'
import { createApp } from '../../../examples/express/app.js'
import { SECRET } from '../../core/test/visitor.ts'
import { serve, visit } from './server.ts'

const page = { accept: 'text/html' }

describe('the example', () => {
  it('shows a visitor the way from a guarded page through the form and out again', async () => {
    vi.stubEnv('AUTH_SECRET', SECRET)
    const visitor = visit(await serve(createApp()))
    expect(await (await visitor.get('/')).text()).toContain('Hello, stranger')
    expect((await visitor.get('/api/me')).status).toBe(401)

    const away = await visitor.get('/account', page)
    expect(away.headers.get('location')).toBe('/login?callbackUrl=%2Faccount')
    expect(await (await visitor.get('/login?callbackUrl=%2Faccount')).text()).toContain(
      'value="/account"',
    )

    const send = (path: string, fields: Record<string, string>) =>
      visitor.send(path, { method: 'POST', body: new URLSearchParams(fields) })
    const wrong = await send('/login', { name: 'Ann', password: 'x', callbackUrl: '/account' })
    expect([wrong.status, await wrong.text()]).toEqual([
      401,
      expect.stringContaining('Wrong name or password'),
    ])

    const fields = { name: '<Ann>', password: 'open sesame', callbackUrl: '/account' }
    const back = await send('/login', fields)
    expect(back.headers.get('location')).toMatch(/\/account$/)
    expect(await (await visitor.get('/account')).text()).toContain('The account of &lt;Ann&gt;')
    expect(await (await visitor.get('/api/me')).json()).toMatchObject({ name: '<Ann>' })

    await send('/logout', {})
    expect((await visitor.get('/api/me')).status).toBe(401)
  })
})

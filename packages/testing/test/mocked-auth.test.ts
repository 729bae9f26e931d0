import { sessionOf } from '@siteauth/testing'
import { NextRequest } from 'next/server.js'
import { beforeEach, expect, it, vi } from 'vitest'
import { GET, leave } from './site/notes.ts'

const standIn = await vi.hoisted(async () => {
  const { createAuthStandIn } = await import('@siteauth/testing/next')
  return createAuthStandIn()
})
vi.mock('./site/auth.ts', () => standIn)
beforeEach(() => standIn.become(null))

const read = () => GET(new NextRequest('http://localhost/notes'), { params: Promise.resolve({}) })

it('stands in for auth.ts in a route handler', async () => {
  expect((await read()).status).toBe(401)
  standIn.become(sessionOf({ name: 'Ada' }))
  expect(await (await read()).json()).toEqual({ notesOf: 'Ada' })
})

it('stands in for auth.ts in a server action', async () => {
  await leave()
  expect(standIn.calls).toEqual([])
  standIn.become(sessionOf({ name: 'Ada' }))
  await expect(leave()).rejects.toThrow('NEXT_REDIRECT')
  expect(standIn.calls).toEqual([{ name: 'signOut', given: [{ redirectTo: '/bye' }] }])
})

import assert from 'node:assert/strict'
import { Auth } from '@auth/core'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import { Visitor } from '@siteauth/testing'
import { createStorage } from 'unstorage'
import { settings } from './visit.mjs'

let link = ''
const config = {
  ...settings,
  adapter: UnstorageAdapter(createStorage()),
  session: { strategy: 'database' },
  providers: [
    {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      sendVerificationRequest({ url }) {
        link = url
      },
    },
  ],
}

const visitor = new Visitor(request => Auth(request, config), 'http://localhost/auth')
await visitor.post('/signin/mail', { email: 'ada@example.com' })
await visitor.openLink(new URL(link))
assert.equal((await visitor.session())?.user?.email, 'ada@example.com')
await visitor.post('/signout')
assert.equal(await visitor.session(), null)

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const isBuilt = existsSync(join(folder, 'dist/index.js'))

// Whoever compiles to CommonJS, as NestJS does, has this in the end.
const application = `
  'use strict'
  const { ServerAuth, getSession, AuthError } = require('@siteauth/express')
  const { default: Credentials } = require('@siteauth/core/providers/credentials')
  const express = require(process.argv[2])

  const config = {
    secret: 'a test secret that is long enough!',
    providers: [Credentials({ authorize: () => ({ id: '1', name: 'Ann' }) })],
  }
  class AuthMiddleware {
    auth = ServerAuth(config)
    use(req, res, next) {
      return this.auth(req, res, next)
    }
  }
  const middleware = new AuthMiddleware()
  const app = express()
  app.use('/auth', middleware.use.bind(middleware)) // as NestJS mounts the middleware of a module
  app.get('/who', (req, res, next) => {
    getSession(req, config).then(session => res.json(session), next)
  })
  const server = app.listen(0, '127.0.0.1', async () => {
    const origin = 'http://127.0.0.1:' + server.address().port
    const csrf = await fetch(origin + '/auth/csrf')
    const { csrfToken } = await csrf.json()
    const signedIn = await fetch(origin + '/auth/callback/credentials', {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookieOf(csrf) },
      body: new URLSearchParams({ csrfToken }),
    })
    const who = await fetch(origin + '/who', { headers: { cookie: cookieOf(signedIn) } })
    console.log((await who.json()).user.name, typeof AuthError)
    process.exit()
  })
  function cookieOf(answer) {
    return answer.headers.getSetCookie().map(line => line.split(';')[0]).join('; ')
  }
`

// What is published is tested, so there must be a build: npm test makes one.
describe.skipIf(!isBuilt)('a CommonJS application', () => {
  it.each(['express4', 'express'])(
    'requires the package, with %s',
    async version => {
      const home = mkdtempSync(join(realpathSync(folder), 'node_modules.commonjs-'))
      const file = join(home, 'application.cjs')
      writeFileSync(file, application)
      try {
        const env = { ...process.env, NODE_OPTIONS: '' }
        const { stdout } = await promisify(execFile)(process.execPath, [file, version], { env })
        expect(stdout.trim()).toBe('Ann function')
      } finally {
        rmSync(home, { recursive: true })
      }
    },
    30_000,
  )
})

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

/** Answers in place of GitHub, so that a start page can be followed to its end without an account there. */
export interface StandInGitHub {
  /** For the process of the application: sends what it asks GitHub to the stand-in. */
  readonly env: Readonly<Record<string, string>>
  /** For a tab of a browser: the same, also in the midst of redirects. */
  receive(page: Page): Promise<void>
  close(): Promise<void>
}

const CODE = 'the-code-of-ada'
const TOKEN = 'the-token-of-ada'

/** Starts it. Whoever presses *Authorize* there is Ada. */
export async function startStandInGitHub(): Promise<StandInGitHub> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`
    switch (url.pathname) {
      case '/login/oauth/authorize':
        return sendPage(response, url.searchParams)
      case '/login/oauth/access_token':
        return void readBody(request).then(body => {
          const isCode = new URLSearchParams(body).get('code') === CODE
          sendJson(response, isCode ? { access_token: TOKEN, token_type: 'bearer' } : { error: '' })
        })
      case '/user':
        return sendJson(response, isKnown ? { id: 1, login: 'ada', name: 'Ada' } : {})
      case '/user/emails':
        return sendJson(response, [{ email: 'ada@example.test', primary: true, verified: true }])
    }
    response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on one
  const origin = `http://127.0.0.1:${port}`
  const script = `const { fetch } = globalThis
    globalThis.fetch = (to, init) => {
      const { protocol, host, pathname, search } = new URL(to.url ?? to)
      const isGitHub = protocol === 'https:' && ['github.com', 'api.github.com'].includes(host)
      return fetch(isGitHub ? '${origin}' + pathname + search : to, init)
    }`
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` },
    async receive(page) {
      // Playwright's own routes do not see where a redirect leads.
      const session = await page.context().newCDPSession(page)
      session.on('Fetch.requestPaused', ({ requestId, request }) => {
        const location = request.url.replace('https://github.com', origin)
        const responseHeaders = [{ name: 'location', value: location }]
        void session.send('Fetch.fulfillRequest', { requestId, responseCode: 302, responseHeaders })
      })
      await session.send('Fetch.enable', { patterns: [{ urlPattern: 'https://github.com/*' }] })
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function sendPage(response: ServerResponse, asked: URLSearchParams): void {
  const fields = { code: CODE, state: asked.get('state') }
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${encodeURI(value ?? '')}">`,
  )
  response.setHeader('content-type', 'text/html')
  response.end(
    `<form action="${asked.get('redirect_uri')}">${inputs.join('')}<button>Authorize</button></form>`,
  )
}

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}

async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

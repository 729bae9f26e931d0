import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import next from 'next'
import { html } from '../window/html.js'
import { plainPage } from '../window/plain-page.js'

const program = createRequire(import.meta.url).resolve('next/dist/bin/next')

/**
 * Builds an application on Next.js and then serves it. Until it is built, its pages say so and look
 * again by themselves.
 *
 * @param {string} folder
 */
export function createNextServer(folder) {
  const building = spawn(process.execPath, [program, 'build', folder], {
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  building.stdout.on('data', data => output.push(data))
  building.stderr.on('data', data => output.push(data))
  const built = new Promise(resolve => building.on('close', code => resolve(code === 0)))
  const application = next({ dev: false, dir: folder, quiet: true })
  let isStopping = false
  let answer = (_request, response) => say(response, waiting)

  async function start() {
    if (!(await built)) {
      if (isStopping) return false
      console.error(`  Next.js could not be built.\n${Buffer.concat(output)}`)
      answer = (_request, response) => say(response, failed)
      return false
    }
    await application.prepare()
    answer = application.getRequestHandler()
    return true
  }

  return {
    answer: (request, response) => answer(request, response),
    ready: start(),
    async close() {
      isStopping = true
      building.kill()
      await built
    },
  }
}

const waiting = plainPage(
  'Next.js is being built',
  html`<div class="card narrow" role="status">
    <h1>Next.js is being built</h1>
    <p class="quiet">This takes a few seconds, once. The page continues automatically.</p>
  </div>`,
  { refresh: 2 },
)
const failed = plainPage(
  'Next.js could not be built',
  html`<div class="card narrow"><h1>Next.js could not be built</h1>
    <p class="quiet">The terminal says why.</p></div>`,
)

function say(response, page) {
  response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '2' })
  response.end(String(page))
}

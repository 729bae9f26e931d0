// How long it takes to make the sign-in page with five providers: the page itself, and a request for
// it up to the text of the answer, with cookies, return URL, token and language. The limit is a page
// that is ready, with a request and a response around it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Auth } from '@auth/core'
import OldApple from '@auth/core/providers/apple'
import OldDiscord from '@auth/core/providers/discord'
import OldGitHub from '@auth/core/providers/github'
import OldGoogle from '@auth/core/providers/google'
import OldSlack from '@auth/core/providers/slack'
import { createAuth } from '@siteauth/core'
import Apple from '@siteauth/core/providers/apple'
import Discord from '@siteauth/core/providers/discord'
import GitHub from '@siteauth/core/providers/github'
import Google from '@siteauth/core/providers/google'
import Slack from '@siteauth/core/providers/slack'
import { build } from 'esbuild'
import { esbuildSources } from '../tools/sources.mjs'
import { measure } from './lib/measure.mjs'
import { report, timeColumns } from './lib/report.mjs'

const secret = 'a secret of at least thirty-two characters'
const client = { clientId: 'id', clientSecret: 'secret' }
const providers = [Google, GitHub, Apple, Discord, Slack].map(make => make(client))
const oldProviders = [OldGoogle, OldGitHub, OldApple, OldDiscord, OldSlack].map(make =>
  make(client),
)
const logger = { error() {}, warn() {}, debug() {} }
const theme = { brandColor: '#346df1' }
const auth = createAuth({ secret, trustHost: true, providers, theme, logger }, { env: {} })
const old = { secret, trustHost: true, providers: oldProviders, basePath: '/auth', theme, logger }
const url = 'https://app.example.com/auth/signin?callbackUrl=%2Finbox'

const first = await auth.handle(new Request(url))
const cookie = first.headers
  .getSetCookie()
  .map(line => line.split(';')[0])
  .join('; ')
const html = await first.text()
const [, script] = /<script src="([^"]+)"/.exec(html) ?? []
const scriptText = await (await auth.handle(new Request(new URL(script, url).href))).text()
const request = () => new Request(url, { headers: { cookie, 'accept-language': 'de, en;q=0.5' } })

const { signInPage, findLanguage } = await loadPages()
const view = {
  theme,
  language: await findLanguage({ fixed: 'de', translations: {} }, null),
  site: 'https://app.example.com',
  host: 'app.example.com',
  assets: '/auth/assets',
  providers: providers.map(({ id, name, style }) => ({
    id,
    name,
    kind: 'external',
    action: `https://app.example.com/auth/signin/${id}`,
    fields: [],
    style,
  })),
  csrfToken: 'f'.repeat(64),
  callbackUrl: 'https://app.example.com/inbox',
  error: undefined,
  details: [],
}

const rows = await measure([
  {
    name: 'limit',
    run: () => {
      const { headers } = request()
      return new Response(headers.get('cookie') ? html : '', { headers: first.headers }).text()
    },
  },
  { name: 'the page itself', ours: true, run: () => signInPage(view) },
  { name: 'GET signin', ours: true, run: async () => (await auth.handle(request())).text() },
  { name: '@auth/core GET signin', run: async () => (await Auth(request(), old)).text() },
])

report('page', {
  title: 'The sign-in page with five providers',
  note:
    `The page has ${html.length} characters, ${gzipSync(html).length} bytes with gzip, and its script ` +
    `${gzipSync(scriptText).length} bytes with gzip: nothing else is loaded. Limit: a page that is ` +
    `ready, in a new response to a new request.`,
  rows,
  columns: timeColumns,
  bars: { heading: 'Time for one page, times the limit' },
})

/** The page is no public function, so it is taken from the source. */
async function loadPages() {
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  const source = fileURLToPath(new URL('../packages/core/src/lib/', import.meta.url))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    stdin: {
      contents: `export * from './pages/sign-in.ts'; export * from './translations/languages.ts'`,
      resolveDir: source,
    },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    plugins: [esbuildSources(['node'])],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  })
  return import(pathToFileURL(join(folder, 'stdin.mjs')).href)
}

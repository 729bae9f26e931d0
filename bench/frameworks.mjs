// Requests per second of a route that says who is signed in, in each framework, as a ratio of the bare route in the
// same framework that is sent the same cookies: see lib/http-pairs.mjs. The applications are in conformance/*/bench,
// installed from packed packages, built and started as their users would.
//
// FRAMEWORKS=hono,fastify npm run bench -- frameworks: only these. The table keeps what was measured of the others.
import { fileURLToPath } from 'node:url'
import { versionOf } from '../tools/frameworks.mjs'
import { listApplications } from '../tools/frameworks-page.mjs'
import { packPackages } from '../tools/packed.mjs'
import { prepareApplication, startApplication } from './lib/applications.mjs'
import { cookiesOf } from './lib/better-auth.mjs'
import { keepFramework, reportFrameworks } from './lib/frameworks-report.mjs'
import { comparePairs, countPairs } from './lib/http-pairs.mjs'
import { expectParts } from './lib/progress.mjs'
import { connectTo } from './lib/servers.mjs'
import { requestsWith, tokens } from './lib/signed-in.mjs'
import { signUp, user } from './lib/site.mjs'

/** Each is told by variables who it is. `findCookies`: what a visitor sends who is signed in there. */
const contenders = [
  {
    name: 'SiteAuth, tokens recur',
    variables: { CONTENDER: 'siteauth' },
    findCookies: tokens,
    pairs: 2,
  },
  {
    name: 'SiteAuth, every token opened',
    variables: { CONTENDER: 'siteauth', TOKENS: 'opened' },
    findCookies: tokens,
    pairs: 2,
  },
  {
    name: 'Better Auth, memory',
    variables: { CONTENDER: 'better-auth' },
    findCookies: signUpAt,
  },
  { name: "Auth.js's package", variables: { CONTENDER: 'authjs' }, findCookies: tokens },
]

const applications = findApplications(process.env.FRAMEWORKS?.split(','))
const packed = packPackages()
expectParts(applications.reduce((sum, each) => sum + countPairs(contendersIn(each)), 0))
for (const application of applications) {
  const { folder, path, manifest } = application
  const { title, framework, bench } = manifest.siteauth
  prepareApplication(application, packed)
  const rows = await comparePairs(contendersIn(application), contender =>
    startPair(application, contender),
  )
  const peers = ['better-auth', bench.authjs].filter(Boolean)
  keepFramework(folder, {
    title: `${title} ${versionOf(path, framework)}`,
    node: manifest.dependencies.node ?? process.versions.node,
    peers: peers.map(name => `${name} ${versionOf(path, name)}`),
    rows,
  })
}
reportFrameworks()

function findApplications(names) {
  const all = listApplications(fileURLToPath(new URL('../conformance', import.meta.url)))
  const measured = all.filter(({ manifest }) => manifest.siteauth.bench)
  const unknown = names?.filter(name => !measured.some(({ folder }) => folder === name)) ?? []
  if (unknown.length > 0) throw new Error(`There is no conformance/${unknown[0]}/bench.`)
  return measured.filter(({ folder }) => names?.includes(folder) ?? true)
}

function contendersIn({ manifest }) {
  const hasAuthjs = manifest.siteauth.bench.authjs !== undefined
  return contenders.filter(({ variables }) => hasAuthjs || variables.CONTENDER !== 'authjs')
}

/** A contender, and the same application without any. */
async function startPair(application, { variables, findCookies }) {
  const server = await startApplication(application, variables)
  const twin = await startApplication(application, { CONTENDER: 'bare' })
  const requests = await requestsWith(findCookies)(server.origin)
  for (const request of requests) await assertName(server.origin, request)
  await demandNoName(server.origin)
  await assertName(twin.origin, requests[0])
  return {
    own: { child: server.child, connections: await connectTo({ ...server, requests }, '/who') },
    bare: { child: twin.child, connections: await connectTo({ ...twin, requests }, '/who') },
  }
}

async function signUpAt(origin) {
  const response = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(signUp),
  })
  if (!response.ok) throw new Error(`Nobody can sign up: ${await response.text()}`)
  return [cookiesOf(response.headers.getSetCookie())]
}

async function assertName(origin, request) {
  const text = await (await fetch(`${origin}/who`, request)).text()
  if (text !== JSON.stringify({ hello: user.name })) throw new Error(`/who answered ${text}`)
}

/** Whoever says the name to a stranger does not look. */
async function demandNoName(origin) {
  const text = await (await fetch(`${origin}/who`)).text()
  if (text.includes(user.name)) throw new Error('/who greets strangers by that name')
}

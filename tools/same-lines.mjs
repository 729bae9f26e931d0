// The page that compares the frameworks is made from one source for each, which is compiled.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from './workspace.mjs'

const PAGE = 'docs/every-framework.md'
const SOURCES = 'docs/eight-lines'

/** The frameworks by their files, in the order of the page. */
const FRAMEWORKS = {
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  nestjs: 'NestJS',
  next: 'Next.js',
  sveltekit: 'SvelteKit',
  nuxt: 'Nuxt',
  astro: 'Astro',
  'react-router': 'React Router',
  'tanstack-start': 'TanStack Start',
  'solid-start': 'SolidStart',
}

/** The regions that each source has, with their headings and what is the same everywhere. */
const LINES = {
  create: ['Set up', '`role` is a column of your users, which `expose` adds to the session.'],
  endpoints: [
    'Mount the endpoints',
    'Sign-in, callbacks, sign-out and the session for the browser.',
  ],
  read: ['Read the session', 'Null if nobody is signed in. A session that is due is renewed.'],
  guard: [
    'Require a session',
    'People are sent to sign in and return afterwards; programs get 401. Behind the guard the session is never null.',
  ],
  allow: ['Require a user', 'Users that `allow` rejects get 403. Only `true` lets a user through.'],
  role: ['Require a role', 'The same, by a column of your own.'],
  'sign-in-and-out': ['Sign in and out', 'Both end with a redirect.'],
  'access-token': [
    'Call the API of a provider',
    'The access token of the user, refreshed if it has expired.',
  ],
}

/** The faults of the page, and of the sources that it is made from. With `update` it writes the page. */
export function checkSameLines(root = ROOT, { update = false } = {}) {
  const sources = Object.entries(FRAMEWORKS).map(([file, title]) => {
    const path = join(root, SOURCES, `${file}.ts`)
    return { file, title, text: existsSync(path) ? readFileSync(path, 'utf8') : '' }
  })
  const faults = [...unknownFrameworks(root), ...sources.flatMap(regionFaults)]
  if (faults.length > 0) return faults
  const text = writePage(sources)
  const path = join(root, PAGE)
  if (update) writeFileSync(path, text)
  const recorded = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return recorded === text ? [] : [`${PAGE} is out of date. Cure: node tools/same-lines.mjs`]
}

/** Frameworks that have a start page, and are not on this one. */
function unknownFrameworks(root) {
  const started = readdirSync(join(root, 'docs/start')).map(name => name.replace('.md', ''))
  return started
    .filter(name => !FRAMEWORKS[name])
    .map(name => `${PAGE} leaves out ${name}: add it to tools/same-lines.mjs and to ${SOURCES}`)
}

function regionFaults({ file, text }) {
  const found = Object.keys(regionsIn(text))
  const expected = Object.keys(LINES)
  return [
    ...expected.filter(name => !found.includes(name)).map(name => `lacks the region ${name}`),
    ...found.filter(name => !expected.includes(name)).map(name => `has an unknown region ${name}`),
  ].map(fault => `${SOURCES}/${file}.ts ${fault}`)
}

/** The code between `// #region name` and `// #endregion`, without the indentation that all of it has. */
function regionsIn(text) {
  const regions = text.matchAll(/^ *\/\/ #region (\S+)\n([\s\S]*?)^ *\/\/ #endregion$/gm)
  return Object.fromEntries([...regions].map(([, name, code]) => [name, dedent(code)]))
}

function dedent(code) {
  const lines = code.trimEnd().split('\n')
  const margins = lines.filter(line => line !== '').map(line => line.search(/\S/))
  return lines.map(line => line.slice(Math.min(...margins))).join('\n')
}

function withoutRegions(text) {
  return text.replaceAll(/^ *\/\/ #(?:region \S+|endregion)\n/gm, '').trimEnd()
}

function writePage(sources) {
  const comparisons = Object.entries(LINES).flatMap(([name, [heading, remark]]) => [
    `## ${heading}`,
    remark,
    fence(
      '', // not compiled here: the whole files are
      sources.map(({ title, text }) => `// ${title}\n${regionsIn(text)[name]}`).join('\n\n'),
    ),
  ])
  const files = sources.flatMap(({ file, title, text }) => [
    `### ${title}`,
    fence(`ts [${file}.ts]`, withoutRegions(text)),
  ])
  return `${[
    '# The same lines in every framework',
    '<!-- Written by tools/same-lines.mjs from docs/eight-lines. -->',
    'Eight lines of one application, in each of the eleven frameworks. Every call takes what the framework gives to a handler, and everything else ' +
      'is the same. All of it is compiled.',
    ...comparisons,
    '## The whole files',
    'In an application, what has the name of a file above it is in that file. A guide for each framework shows how the files belong together.',
    ...files,
  ].join('\n\n')}\n`
}

function fence(language, code) {
  return [`\`\`\`${language}`, code, '```'].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = checkSameLines(ROOT, { update: !process.argv.includes('--check') })
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}

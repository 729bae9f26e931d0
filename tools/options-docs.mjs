// The page of options is made from the comments in the source, so that it cannot say anything else.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interfaceMembers } from './doc-comments.mjs'
import { parseFile } from './syntax.mjs'
import { ROOT } from './workspace.mjs'

const PAGE = 'docs/reference/options.md'
const LIBRARY = 'packages/core/src/lib'
const NEXT = 'packages/next/src/lib'

/** Where each option is declared, and what it consists of where that is declared elsewhere. */
const DECLARED = { name: 'AuthConfig', file: `${LIBRARY}/config/options.ts` }
const PARTS = {
  session: [{ name: 'SessionOptions', file: `${LIBRARY}/config/options.ts` }],
  jwt: [{ name: 'JWTOptions', file: `${LIBRARY}/session/jwt/jwt.ts` }],
  pages: [{ name: 'PagesOptions', file: `${LIBRARY}/config/options.ts` }],
  cookies: [{ name: 'CookiesOptions', file: `${LIBRARY}/config/options.ts` }],
  callbacks: [
    { name: 'Callbacks', file: `${LIBRARY}/base/callbacks.ts` },
    { name: 'NextAuthCallbacks', file: `${NEXT}/config/auth-config.ts`, only: 'With Next.js.' },
  ],
  events: [{ name: 'EventCallbacks', file: `${LIBRARY}/base/callbacks.ts` }],
  logger: [{ name: 'LoggerInstance', file: `${LIBRARY}/base/logger.ts` }],
  theme: [{ name: 'Theme', file: `${LIBRARY}/branding/theme.ts` }],
  ports: [{ name: 'Ports', file: `${LIBRARY}/base/ports.ts` }],
}

// What a comment at the option is too short for has a page.
const MORE = {
  providers: 'Every provider has its own page: [Providers](../providers/README.md).',
  session: 'Which of the two to choose: [Sessions](../concepts/sessions.md).',
  callbacks: 'With examples: [Callbacks](../guide/callbacks.md).',
  events: 'With examples: [Events](../guide/callbacks.md#events).',
  adapter: 'See [Stores](../guide/adapters.md).',
  trustHost: 'See [Behind a proxy](../guide/proxies.md).',
  redirectProxyUrl: 'See [Preview deployments](../guide/proxies.md#preview-deployments).',
  redirectProxyOrigins: 'See [Preview deployments](../guide/proxies.md#preview-deployments).',
  trustedOrigins: 'See [Forms from other origins](../differences.md#foreign-origin).',
  secret: 'To change it: [Changing the secret](../concepts/sessions.md#changing-the-secret).',
}

/** The faults of the page with every option. With `update` it writes the page. */
export function checkOptions(root = ROOT, { update = false } = {}) {
  const read = ({ name, file, only }) =>
    interfaceMembers(parseFile(join(root, file)), name).map(member => ({ ...member, only }))
  const options = read(DECLARED).map(option => ({
    ...option,
    parts: (PARTS[option.name] ?? []).flatMap(read),
  }))
  const faults = options.flatMap(undocumented)
  if (faults.length > 0) return faults
  const path = join(root, PAGE)
  const text = writePage(options)
  if (update) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const recorded = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return recorded === text ? [] : [`${PAGE} is out of date. Cure: node tools/options-docs.mjs`]
}

function undocumented({ name, comment, parts }) {
  const nameless = [
    { name, comment },
    ...parts.map(part => ({ ...part, name: `${name}.${part.name}` })),
  ]
  return nameless
    .filter(each => !each.comment?.prose)
    .map(each => `the option ${each.name} has no comment that says what it is for`)
}

function writePage(options) {
  return `${[
    '# Options',
    '<!-- Written by tools/options-docs.mjs from the comments in the source. -->',
    'Everything you can configure. Only `providers` is required. For what comes from the environment instead, see [Environment variables](environment.md).',
    ['```ts', ...EXAMPLE, '```'].join('\n'),
    table(
      ['Option', 'In short'],
      options.map(({ name, comment }) => [
        `[\`${name}\`](#${name.toLowerCase()})`,
        firstSentence(comment.prose),
      ]),
    ),
    ...options.flatMap(section),
  ].join('\n\n')}\n`
}

const EXAMPLE = [
  "import type { AuthConfig } from '@siteauth/core'",
  "import GitHub from '@siteauth/core/providers/github'",
  '',
  'export const config: AuthConfig = {',
  '  providers: [GitHub],',
  '  session: { maxAge: 8 * 60 * 60 }, // signed out after eight idle hours',
  "  pages: { signIn: '/login' },",
  '}',
]

function section({ name, type, optional, comment, parts }) {
  return [
    `## ${name}`,
    `\`${type}\`${optional ? '' : ', required'}`,
    comment.prose,
    parts.length > 0 &&
      table(
        ['', 'Type', ''],
        parts.map(part => [
          `\`${part.name}\``,
          `\`${part.type}\``,
          [part.only, oneLine(part.comment.prose)].filter(Boolean).join(' '),
        ]),
      ),
    MORE[name],
  ].filter(Boolean)
}

function firstSentence(prose) {
  return oneLine(prose).match(/^.+?[.?!](?= |$)/)?.[0] ?? oneLine(prose)
}

function oneLine(prose) {
  return prose.replaceAll(/\s+/g, ' ')
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = checkOptions(ROOT, { update: !process.argv.includes('--check') })
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}

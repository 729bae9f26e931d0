// A hundred pages are true of the providers because they are made from them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { viteSources } from './sources.mjs'
import { parseFile } from './syntax.mjs'
import { ROOT } from './workspace.mjs'

// What a provider does is read from the provider itself; what only people can know is in this file.
const DATA = 'docs/providers/providers.data.json'
const PAGES = 'docs/providers'
const SOURCES = 'packages/core/src/providers'
const LIBRARY = 'packages/core/src/lib/providers'
/** What the command line knows of providers without loading a hundred modules. */
const CATALOGUE = 'packages/siteauth/src/lib/add/catalogue.ts'

const GENERATED = `<!-- Written by tools/provider-docs.mjs from the provider and ${basename(DATA)}. -->`
const USUAL_CHECKS = { oauth: ['state', 'pkce'], oidc: ['state', 'pkce', 'nonce'] }
const CHECK_NAMES = { state: 'state', pkce: 'PKCE', nonce: 'a nonce' }
const STATUS = {
  closed: 'Closed: it no longer works, or will soon stop working.',
  deprecated: 'Deprecated: there is a better one.',
  legacy: 'For existing applications only; new ones cannot be registered.',
}

/** Lists outdated pages. With `update`, writes them. */
export async function checkProviderDocs(root = ROOT, { update = false } = {}) {
  const data = JSON.parse(readFileSync(join(root, DATA), 'utf8'))
  const providers = await loadProviders(root, data)
  const faults = providers.flatMap(faultsOf)
  if (faults.length > 0) return faults
  const pages = new Map(providers.map(each => [`${each.made.id}.md`, writePage(each)]))
  pages.set('README.md', writeIndex(providers))
  const catalogue = writeCatalogue(providers)
  if (update) {
    writePages(join(root, PAGES), pages)
    writeFileSync(join(root, CATALOGUE), catalogue)
  }
  return [...differences(root, pages), ...catalogueDifference(root, catalogue)]
}

async function loadProviders(root, data) {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    // Without it, what only a build makes would have to be there.
    plugins: [viteSources(['node', 'import', 'default'])],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, ws: false },
  })
  try {
    const files = readdirSync(join(root, SOURCES)).filter(file => /(?<!\.test)\.ts$/.test(file))
    const loaded = await Promise.all(
      files.map(async file => {
        const { default: provider } = await server.ssrLoadModule(`/${SOURCES}/${file}`)
        return { module: file.replace(/\.ts$/, ''), file, made: bare(provider) }
      }),
    )
    return loaded
      .filter(({ made }) => made?.type === 'oauth' || made?.type === 'oidc')
      .map(each => ({
        ...each,
        ...commentsOf(join(root, SOURCES, each.file), join(root, LIBRARY)),
        data: data[each.module],
      }))
      .sort((a, b) => a.made.name.localeCompare(b.made.name, 'en'))
  } finally {
    await server.close()
  }
}

// Other kinds of provider may require options; they are not described here.
function bare(provider) {
  try {
    return provider()
  } catch {
    return undefined
  }
}

function faultsOf({ module, made, data, deprecated, options }) {
  if (!data) return [`${DATA}: nothing about "${module}"`]
  const faults = []
  const ended = data.status === 'closed' || data.status === 'deprecated'
  if (data.status && !STATUS[data.status]) faults.push(`unknown status "${data.status}"`)
  if (ended !== (deprecated !== undefined)) {
    faults.push('the status and the @deprecated tag in its source do not agree')
  }
  const incomplete = !made.issuer && !made.authorization?.url
  if (incomplete && !data.issuer && options.length === 0 && module !== 'descope') {
    faults.push('it needs an issuer, but no example of one is given')
  }
  if ((typeof made.emailVerified === 'function') !== (data.proven !== undefined)) {
    faults.push('`proven` says in words what `emailVerified` decides, where that is a function')
  }
  return faults.map(fault => `${DATA}: "${module}": ${fault}`)
}

/** A provider's name in its source, and what its comments say about its options and deprecation. */
function commentsOf(file, library) {
  const { text, program, comments } = parseFile(file)
  const deprecated = comments.find(
    ({ value }) => value.includes('@deprecated') && value.includes('@example'),
  )
  return {
    name: program.body.find(({ type }) => type === 'ExportDefaultDeclaration').declaration.name,
    deprecated: deprecated?.value.match(/@deprecated (.+)/)?.[1],
    options: optionsOf({ text, program, comments }, library),
    hasEmail: !/\bemail: null\b/.test(text),
  }
}

function optionsOf(source, library) {
  for (const { declaration } of source.program.body.filter(isExport)) {
    if (!declaration?.id?.name?.endsWith('Options')) continue
    if (declaration.type === 'TSInterfaceDeclaration') return membersOf(declaration, source)
    const name = declaration.typeAnnotation.typeName.name
    for (const file of readdirSync(library)) {
      const other = parseFile(join(library, file))
      const found = other.program.body
        .filter(isExport)
        .find(each => each.declaration?.id?.name === name)
      if (found) return membersOf(found.declaration, other)
    }
  }
  return []
}

function isExport({ type }) {
  return type === 'ExportNamedDeclaration'
}

function membersOf({ body }, { text, comments }) {
  let from = body.start
  return body.body.map(member => {
    const comment = comments.find(({ start, end }) => start >= from && end <= member.start)
    from = member.end
    const type = member.typeAnnotation.typeAnnotation
    return {
      name: member.key.name,
      type: text.slice(type.start, type.end).replaceAll(/\s+/g, ' '),
      about: sentences(comment?.value ?? ''),
    }
  })
}

function sentences(comment) {
  return comment
    .replaceAll(/^\s*\*+/gm, ' ')
    .replace('@deprecated ', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function writePage(provider) {
  const { module, made, data, deprecated, name } = provider
  return sections([
    `# ${made.name}`,
    GENERATED,
    data.status && `> **${STATUS[data.status]}**${deprecated ? ` ${deprecated}` : ''}`,
    codeBlock(
      `import ${name} from '@siteauth/core/providers/${module}'`,
      '',
      `export const providers = [${name}]`,
    ),
    '## Set up',
    [
      `1. Register an application: see [${made.name}'s documentation](${data.docs}).`,
      '2. Register your callback URL:',
      `   - \`https://your-site.example/auth/callback/${made.id}\``,
      `   - with Next.js: \`https://your-site.example/api/auth/callback/${made.id}\``,
      '3. Set the variables:',
    ].join('\n'),
    table(['Variable', 'Value'], variablesOf(provider)),
    '## What happens',
    behaviourOf(provider)
      .map(line => `- ${line}`)
      .join('\n'),
    '## Options',
    'The usual ones, such as `clientId`, `clientSecret`, `profile`, or `scope` in `authorization.params`.',
    provider.options.length > 0 &&
      [
        'And its own:',
        '',
        table(['Option', 'Type', 'Meaning'], provider.options.map(optionRow)),
      ].join('\n'),
    data.notes && ['## Good to know', '', ...data.notes.map(note => `- ${note}`)].join('\n'),
    data.changes &&
      ['## Different from Auth.js', '', ...data.changes.map(each => `- ${each}`)].join('\n'),
  ])
}

function variablesOf({ made, data, options }) {
  const prefix = `AUTH_${made.id.toUpperCase().replaceAll('-', '_')}`
  const rows = [
    [`\`${prefix}_ID\``, 'The client id.'],
    [`\`${prefix}_SECRET\``, 'The client secret.'],
  ]
  if (data.issuer) rows.push([`\`${prefix}_ISSUER\``, `The issuer, such as \`${data.issuer}\`.`])
  if (options.some(({ name }) => name === 'apiKey'))
    rows.push([`\`${prefix}_KEY\``, 'The API key.'])
  return rows
}

function behaviourOf(provider) {
  const { made } = provider
  const { scope } = made.authorization?.params ?? {}
  const standard = made.type === 'oidc' ? 'openid profile email' : undefined
  const asked = scope ?? standard
  const usual = USUAL_CHECKS[made.type]
  const checks = usual.filter(check => (made.checks ?? usual).includes(check))
  const secret =
    made.client?.token_endpoint_auth_method === 'client_secret_post' ? 'body' : 'header'
  return [
    `The protocol is ${made.type === 'oidc' ? 'OpenID Connect' : 'OAuth 2'}.`,
    asked ? `The scope is \`${asked}\`.` : 'No scope is sent.',
    `Sign-ins are protected by ${listOf(checks.map(check => CHECK_NAMES[check]))}.`,
    !made.token?.request && `The client secret is sent in the token request's ${secret}.`,
    made.idToken === false && 'The profile comes from the userinfo endpoint.',
    aboutEmail(provider),
    aboutLogout(provider),
  ].filter(Boolean)
}

/** How far signing out can reach. */
function aboutLogout({ made: { type, endSession, revocation } }) {
  const guide = "[`logout: 'provider'`](../guide/logout.md)"
  if (type === 'oauth' && !endSession) {
    return revocation && `With ${guide}, its tokens are revoked when people sign out.`
  }
  const back = '`https://your-site.example/auth/signout/return`'
  return `With ${guide}, people who sign out are signed out there as well, if it offers that. Register ${back} for it.`
}

/** Whether the email address counts as the person's own. */
function aboutEmail({ made: { type, emailVerified }, data, hasEmail }) {
  if (!hasEmail) return 'It provides no email address.'
  if (emailVerified === true)
    return 'The email address is proven: the provider hands out no others.'
  if (emailVerified === false) {
    return 'The email address never counts as proven.'
  }
  if (data.proven) return `The email address is proven ${data.proven}.`
  if (emailVerified === undefined && type === 'oauth') {
    return 'The email address does not count as proven unless the profile says `email_verified: true`. If you know better, set `emailVerified`.'
  }
  return `The email address is proven if \`${emailVerified ?? 'email_verified'}\` in the profile is \`true\`.`
}

function listOf(words) {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function optionRow({ name, type, about }) {
  return [`\`${name}\``, `\`${type}\``, about]
}

function writeIndex(providers) {
  return sections([
    '# Providers',
    GENERATED,
    `${providers.length} services people can sign in with. List each in \`providers\` as is, with its id and secret in the environment, or call it with options.`,
    codeBlock(
      `import GitHub from '@siteauth/core/providers/github'`,
      `import GitLab from '@siteauth/core/providers/gitlab'`,
      '',
      `export const providers = [GitHub, GitLab({ baseUrl: 'https://git.example.com' })]`,
    ),
    table(
      ['Provider', 'Import', 'Protocol', 'Status'],
      providers.map(({ module, made, data }) => [
        `[${made.name}](${made.id}.md)`,
        `\`@siteauth/core/providers/${module}\``,
        made.type === 'oidc' ? 'OpenID Connect' : 'OAuth 2',
        data.status ?? '',
      ]),
    ),
  ])
}

function writeCatalogue(providers) {
  const facts = providers.map(({ module, made, name, data, deprecated, options }) => ({
    module,
    id: made.id,
    name,
    title: made.name,
    docs: data.docs,
    issuer: data.issuer,
    status: data.status,
    instead: deprecated,
    notes: data.notes?.map(note => note.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')),
    options: options.length > 0 ? options.map(({ name }) => name) : undefined,
  }))
  return [
    `// Written by tools/provider-docs.mjs from the providers and ${basename(DATA)}.`,
    "import type { ProviderFacts } from './provider-facts.ts'",
    '',
    `export const CATALOGUE: readonly ProviderFacts[] = ${JSON.stringify(facts, null, 2)}`,
    '',
  ].join('\n')
}

function catalogueDifference(root, text) {
  const path = join(root, CATALOGUE)
  const isCurrent = existsSync(path) && readFileSync(path, 'utf8') === text
  return isCurrent ? [] : [`${CATALOGUE} is out of date. Cure: node tools/provider-docs.mjs`]
}

function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map(cells => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|')
}

function codeBlock(...lines) {
  return ['```ts', ...lines, '```'].join('\n')
}

function sections(parts) {
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function writePages(folder, pages) {
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.md') && !pages.has(file)) rmSync(join(folder, file))
  }
  for (const [file, text] of pages) writeFileSync(join(folder, file), text)
}

function differences(root, pages) {
  const cure = 'Cure: node tools/provider-docs.mjs'
  const folder = join(root, PAGES)
  const written = readdirSync(folder).filter(file => file.endsWith('.md'))
  const stray = written.filter(file => !pages.has(file))
  const stale = [...pages].filter(([file, text]) => {
    const path = join(folder, file)
    return !existsSync(path) || readFileSync(path, 'utf8') !== text
  })
  return [...stray, ...stale.map(([file]) => file)].map(
    file => `${relative(root, join(folder, file))} is out of date. ${cure}`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = await checkProviderDocs(ROOT, { update: !process.argv.includes('--check') })
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}

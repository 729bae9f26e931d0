// What the documents owe to the code, such as a heading for each error, nobody else can know.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sidebar } from '../docs/.vitepress/sidebar.mjs'
import { listDocuments, readDocument } from './documents.mjs'
import { checkOptions } from './options-docs.mjs'
import { checkPrintedSecrets } from './printed-secrets.mjs'
import { checkSameLines } from './same-lines.mjs'
import { parseFile } from './syntax.mjs'
import {
  exampleShownBy,
  listExamples,
  listPackages,
  listSources,
  ROOT,
  runAsScript,
} from './workspace.mjs'

const ERRORS_PAGE = 'docs/errors.md'
const ENDPOINTS_PAGE = 'docs/reference/endpoints.md'
const ENVIRONMENT_PAGE = 'docs/reference/environment.md'

/** What the documents leave out, or say of things that there are no more. */
export function checkDocs(root = ROOT) {
  return [
    ...checkErrors(root),
    ...checkOptions(root),
    ...checkSameLines(root),
    ...checkVariables(root),
    ...checkEndpoints(root),
    ...checkBlocks(root),
    ...checkStartPages(root),
    ...checkPagesAreListed(root),
    ...checkPrintedSecrets(root),
  ]
}

/** Every error and warning has a heading of its name on the page of errors, and nothing else does. */
export function checkErrors(root) {
  const library = join(root, 'packages/core/src/lib')
  const codes = [
    ...keysOf(join(library, 'base/errors.ts'), 'ERRORS'),
    ...keysOf(join(library, 'base/warnings.ts'), 'cureOf'),
  ]
  const { headings } = readDocument(join(root, ERRORS_PAGE))
  const explained = headings.filter(({ level }) => level === 3).map(({ text }) => text)
  return [
    ...codes
      .filter(code => !explained.includes(code))
      .map(code => `${ERRORS_PAGE} does not explain ${code}: add "### ${code}"`),
    ...explained
      .filter(name => !codes.includes(name))
      .map(name => `${ERRORS_PAGE} explains ${name}, which the library does not raise`),
  ]
}

/** The keys of a table in a source: `const name = { key: … }`. */
function keysOf(file, name) {
  const table = parseFile(file)
    .program.body.map(node => node.declaration ?? node)
    .flatMap(({ declarations = [] }) => declarations)
    .find(({ id }) => id.name === name).init
  const { properties } = table.type === 'TSAsExpression' ? table.expression : table
  return properties.map(({ key }) => key.name ?? key.value)
}

/** Every variable that a package reads is on the page of variables. */
export function checkVariables(root) {
  const page = readFileSync(join(root, ENVIRONMENT_PAGE), 'utf8')
  const read = new Set(
    listPackages(root).flatMap(({ path }) =>
      listSources(join(path, 'src')).flatMap(file => variablesIn(join(path, 'src', file))),
    ),
  )
  return [...read]
    .map(name => name.replace(/^(AUTH)_.+_(ID|SECRET|ISSUER|KEY)$/, '$1_<PROVIDER>_$2'))
    .filter(name => !page.includes(`\`${name}\``))
    .map(name => `${ENVIRONMENT_PAGE} does not say what ${name} is for`)
}

// `env['AUTH_URL']`, `process.env.AUTH_URL`, or a list of names.
function variablesIn(file) {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  return [...code.matchAll(/(?:['"]|env\.)((?:NEXT)?AUTH_[A-Z0-9_]*[A-Z0-9])\b/g)].map(
    ([, name]) => name,
  )
}

/** Every endpoint is on the page of endpoints. */
export function checkEndpoints(root) {
  const source = readFileSync(join(root, 'packages/core/src/lib/http/request.ts'), 'utf8')
  const [list] = source.match(/(?<=AUTH_ACTIONS = \[)[^\]]*/) ?? ['']
  const page = readFileSync(join(root, ENDPOINTS_PAGE), 'utf8')
  const actions = [...list.matchAll(/'([^']+)'/g)].map(([, action]) => action)
  if (actions.length === 0) return ['the list AUTH_ACTIONS was not found in the source']
  return actions
    .filter(action => !new RegExp(`/${action}[/\`]`).test(page))
    .map(action => `${ENDPOINTS_PAGE} does not say what /${action} does`)
}

// Compiled by tools/check-examples.mjs, read here, or nothing that could be wrong.
const LANGUAGES = ['ts', 'tsx', 'sh', 'json', 'nginx', 'sql', 'http', 'ini', 'text', 'mermaid']

/** Blocks of code that nothing would hold to the truth. */
export function checkBlocks(root) {
  const scripts = new Map()
  const scriptsOf = folder => {
    const manifest = join(root, folder, 'package.json')
    if (!scripts.has(folder)) {
      const text = existsSync(manifest) ? readFileSync(manifest, 'utf8') : '{}'
      scripts.set(folder, Object.keys(JSON.parse(text).scripts ?? {}))
    }
    return scripts.get(folder)
  }
  const packages = new Set(listPackages(root).map(({ name }) => name))
  return listDocuments(root)
    .filter(file => !file.startsWith('.changeset/'))
    .flatMap(file => {
      const shown = exampleShownBy(file, root)
      const folder = shown ? `examples/${shown}` : file.replace(/\/?[^/]+$/, '')
      const known = [...scriptsOf('.'), ...scriptsOf(folder)]
      return readDocument(join(root, file))
        .fences.filter(fence => !(shown && fence.file)) // see checkStartPages
        .flatMap(fence =>
          blockFaults(fence, { known, packages }).map(fault => `${file}:${fence.line} ${fault}`),
        )
    })
}

/** What start pages show other than their example has it, which is compiled and run. */
export function checkStartPages(root) {
  return listExamples(root).flatMap(name => {
    const page = `docs/start/${name}.md`
    if (!existsSync(join(root, page))) return [`examples/${name} has no start page: add ${page}`]
    const { fences } = readDocument(join(root, page))
    const shown = fences.filter(({ file }) => file)
    const installed = fences
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => [...code.matchAll(/^npm install (.*)$/gm)])
      .flatMap(([, words]) => words.split(' ').filter(word => !word.startsWith('-')))
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, 'examples', name, 'package.json'), 'utf8'),
    )
    return [
      ...shown
        .filter(({ file, code }) => !textOf(join(root, 'examples', name), file).includes(code))
        .map(({ file, line }) => `${page}:${line} is not what examples/${name}/${file} says`),
      ...installed
        .filter(each => !(withoutVersion(each) in { ...dependencies, ...devDependencies }))
        .map(each => `${page} installs ${each}, and examples/${name} does not`),
    ]
  })
}

/** A file of an example. What it would keep to itself is there as a sample. */
function textOf(example, file) {
  const path = join(example, file === '.env' ? '.env.example' : file)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function withoutVersion(name) {
  return name.replace(/(?<=.)@.*$/, '')
}

function blockFaults({ language, code, unclosed }, { known, packages }) {
  if (unclosed) return ['the block does not end']
  if (language === '') return [] // a drawing, or what a program printed
  if (!LANGUAGES.includes(language)) {
    return [`a block of "${language}" is compiled by nothing: write it as one of ${LANGUAGES}`]
  }
  if (language === 'json') return jsonFaults(code)
  if (language !== 'sh') return []
  return [
    ...[...code.matchAll(/npm run ([\w:-]+)/g)]
      .filter(([, script]) => !known.includes(script))
      .map(([, script]) => `there is no script "${script}"`),
    ...[...code.matchAll(/(?<![\w@])@siteauth\/[\w-]+/g)]
      .filter(([name]) => !packages.has(name))
      .map(([name]) => `there is no package ${name}`),
  ]
}

function jsonFaults(code) {
  try {
    JSON.parse(code)
    return []
  } catch (error) {
    return [`the JSON cannot be read: ${error.message}`]
  }
}

/**
 * Every page of the site can be reached from its menu, and the menu leads only to pages.
 *
 * @typedef {{ text?: string, link?: string, items?: readonly MenuItem[] }} MenuItem
 * @param {string} root
 * @param {readonly MenuItem[]} menu
 */
export function checkPagesAreListed(root, menu = sidebar) {
  const listed = new Set(linksIn(menu))
  const pages = listDocuments(root)
    .filter(file => file.startsWith('docs/') && file !== 'docs/index.md')
    .map(file => `/${file.slice('docs/'.length)}`)
    .map(file => file.replace(/\/README\.md$/, '/').replace(/\.md$/, ''))
  return [
    ...pages
      .filter(page => !listed.has(page) && !isOfAList(page))
      .map(page => `the menu of the site does not lead to docs${page}`),
    ...[...listed]
      .filter(page => !pages.includes(page) && !page.startsWith('/reference/api/'))
      .map(page => `the menu of the site leads to ${page}, which is not there`),
  ]
}

// Pages that an index lists.
function isOfAList(page) {
  return /^\/(providers|reference\/api)\//.test(page)
}

function linksIn(items) {
  return items.flatMap(({ link, items: below = [] }) => [
    ...(link ? [link] : []),
    ...linksIn(below),
  ])
}

runAsScript(import.meta.url, checkDocs)

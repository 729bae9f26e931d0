import type { Node } from 'oxc-parser'
import { isTest } from './is-test.ts'
import { readValue } from './read-value.ts'
import { Callable, type Meanings, OTHERS, type ReadVariable, UNKNOWN } from './reading.ts'
import { lineOf, nameOf, type Source, visit } from './source.ts'
import type { Sources } from './sources.ts'

/** A configuration, as it is written in the code of a project. */
export interface FoundConfig {
  readonly source: Source
  readonly line: number
  readonly for: Framework | 'core'
  /** Where the endpoints are if nothing in the project says it. */
  readonly defaultPath: string
  /** The options where they are written, which may be in another file. */
  readonly options: Readonly<Record<string, unknown>>
  /** The path that an Express application mounts the endpoints at, if it is written there. */
  readonly mount: string | null
}

/** A preset of ours that a project imports, such as `github`. */
export class Preset extends Callable {
  readonly module: string

  constructor(module: string) {
    super(([options]) => new ConfiguredPreset(module, options))
    this.module = module
  }
}

/** A preset that is called with options. */
export class ConfiguredPreset {
  readonly module: string
  readonly options: unknown

  constructor(module: string, options: unknown) {
    this.module = module
    this.options = options
  }
}

/** An adapter that a project creates. */
export class FoundAdapter {
  /** The module it comes from, such as `@siteauth/adapters/postgres`. */
  readonly module: string
  readonly options: unknown

  constructor(module: string, options: unknown) {
    this.module = module
    this.options = options
  }
}

const LIBRARIES =
  '(?:@siteauth/[\\w-]+|@auth/(?:core|express|sveltekit|solid-start)|@hono/auth-js|next-auth)'
const PROVIDERS = new RegExp(`^${LIBRARIES}/providers/([\\w-]+)$`)
const LIBRARY = new RegExp(`^${LIBRARIES}(?:/|$)`)

/** Frameworks, and the modules whose functions take a configuration for them. */
const FRAMEWORKS: Readonly<Record<Framework, RegExp>> = {
  next: /^(?:@siteauth\/next|next-auth)$/,
  express: /^@(?:siteauth|auth)\/express$/,
  sveltekit: /^@(?:siteauth|auth)\/sveltekit$/,
  'solid-start': /^@(?:siteauth|auth)\/solid-start$/,
  hono: /^(?:@siteauth\/hono|@hono\/auth-js)$/,
  fastify: /^@siteauth\/fastify$/,
  nuxt: /^@siteauth\/nuxt\/server$/,
  astro: /^@siteauth\/astro$/,
  'react-router': /^@siteauth\/react-router$/,
  'tanstack-start': /^@siteauth\/tanstack-start$/,
  nestjs: /^@siteauth\/nestjs$/,
}

type Framework =
  | 'next'
  | 'express'
  | 'sveltekit'
  | 'solid-start'
  | 'hono'
  | 'fastify'
  | 'nuxt'
  | 'astro'
  | 'react-router'
  | 'tanstack-start'
  | 'nestjs'

/** The configurations in the code of a project. */
export function findConfigs(sources: Sources, variable: ReadVariable): readonly FoundConfig[] {
  const meanings: Meanings = { variable, imported: importMeaning }
  return sources.files.flatMap(file => {
    if (isTest(file) || !LIBRARY_NAMES.test(sources.text(file) ?? '')) return []
    const source = sources.get(file)
    if (!source) return []
    const found: FoundConfig[] = []
    visit(source.program, (node, parent) => {
      const call = node.type === 'CallExpression' ? configCall(node, source) : null
      if (!call) return undefined
      found.push({
        source,
        line: lineOf(source, node.start),
        for: call.for,
        defaultPath: call.defaultPath,
        options: objectOf(readOptions(call.options, source, sources, meanings)),
        mount: isMounted(call.for)
          ? (mountOf(node, parent) ?? mountOfHandler(nameGiven(parent), sources))
          : null,
      })
      return undefined
    })
    return found
  })
}

const LIBRARY_NAMES = /@siteauth\/|next-auth|@auth\/|@hono\/auth-js/

/** What names of our packages stand for. */
function importMeaning(module: string, name: string): unknown {
  const [, preset] = PROVIDERS.exec(module) ?? []
  if (preset && name === 'default') return new Preset(preset)
  if (name === 'defineConfig' && LIBRARY.test(module)) {
    return new Callable(([options]) => options)
  }
  if (/[Aa]dapter/.test(module) || /Adapter$/.test(name)) {
    return new Callable(([options]) => new FoundAdapter(module, options))
  }
  return UNKNOWN
}

/** Whether the path of the endpoints is that at which the application mounts their handler. */
function isMounted(framework: FoundConfig['for']): boolean {
  return framework === 'express' || framework === 'core'
}

interface ConfigCall {
  readonly for: FoundConfig['for']
  readonly options: Node | null
  readonly defaultPath: string
}

/** The call that a configuration is handed to, such as `SiteAuth({ … })`. */
function configCall(call: Call, { imports }: Source): ConfigCall | null {
  const { callee } = call
  // SiteAuthModule.forRoot({ … })
  const object = callee.type === 'MemberExpression' ? callee.object : callee
  const imported = object.type === 'Identifier' ? imports.get(object.name) : undefined
  if (!imported) return null
  const [first = null, second = null] = call.arguments
  const { module, name } = imported
  if (/^@(?:siteauth|auth)\/core$/.test(module)) {
    if (name === 'createAuth') return { for: 'core', options: first, defaultPath: '/auth' }
    if (name === 'Auth') return { for: 'core', options: second, defaultPath: '/auth' }
  }
  const framework = (Object.keys(FRAMEWORKS) as Framework[]).find(each =>
    FRAMEWORKS[each].test(module),
  )
  if (!framework) return null
  if (callee.type === 'MemberExpression') {
    const options = name === 'SiteAuthModule' ? moduleOptions(nameOf(callee.property), first) : null
    return options && { for: framework, options, defaultPath: '/auth' }
  }
  if (!TAKES_CONFIG.test(name)) return null
  const isBelowApi = name === 'initAuthConfig' || /^(?:next|solid-start)$/.test(framework)
  return { for: framework, options: first, defaultPath: isBelowApi ? '/api/auth' : '/auth' }
}

type Call = Extract<Node, { type: 'CallExpression' }>

const TAKES_CONFIG =
  /^(?:default|SiteAuth|NextAuth|ServerAuth|ExpressAuth|SvelteKitAuth|SolidAuth|initAuthConfig)$/

/** The configuration of a module of Nest: given as it is, or made by a function. */
function moduleOptions(method: string | null, given: Node | null): Node | null {
  if (method === 'forRoot') return given
  if (method !== 'forRootAsync' || given?.type !== 'ObjectExpression') return null
  for (const each of given.properties) {
    if (each.type === 'Property' && nameOf(each.key) === 'useFactory') return each.value
  }
  return null
}

/** Options may be made per request: what such a function returns is read as if it were written there. */
function readOptions(
  node: Node | null,
  source: Source,
  sources: Sources,
  meanings: Meanings,
): unknown {
  const returned = node && returnedBy(node)
  return returned ? readValue(returned, source, sources, meanings) : UNKNOWN
}

function returnedBy(node: Node): Node | null {
  if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionExpression') return node
  if (node.body?.type !== 'BlockStatement') return node.body
  const returns = node.body.body.filter(each => each.type === 'ReturnStatement')
  return returns.length === 1 ? (returns[0]?.argument ?? null) : null
}

/** `'/auth'` of `app.use('/auth', ServerAuth(config))`. */
function mountOf(call: Node, parent: Node | null): string | null {
  if (parent?.type !== 'CallExpression' || !parent.arguments.some(each => each === call))
    return null
  const [path] = parent.arguments
  const text = path ? nameOf(path) : null
  // Auth.js wanted a wildcard at the end.
  return path?.type === 'Literal' && text ? text.replace(/\/(?:\*\w*|\{\*\w+\})$/, '') : null
}

/** The name that a module gives the result of a call: `auth` of `const auth = …` and `exports.auth = …`. */
function nameGiven(parent: Node | null): string | null {
  if (parent?.type === 'VariableDeclarator') return nameOf(parent.id)
  if (parent?.type !== 'AssignmentExpression') return null
  return parent.left.type === 'MemberExpression' ? nameOf(parent.left.property) : null
}

/** `'/auth'` of `app.use('/auth', auth.handler)`, in any file. */
function mountOfHandler(instance: string | null, sources: Sources): string | null {
  if (instance === null) return null
  for (const file of sources.files) {
    const source =
      isTest(file) || !sources.text(file)?.includes('.handler') ? null : sources.get(file)
    let found: string | null = null
    if (source) {
      visit(source.program, (node, parent) => {
        if (isHandlerOf(instance, node, source)) found ??= mountOf(node, parent)
        return undefined
      })
    }
    if (found !== null) return found
  }
  return null
}

function isHandlerOf(instance: string, node: Node, { imports }: Source): boolean {
  if (node.type !== 'MemberExpression' || nameOf(node.property) !== 'handler') return false
  const name = nameOf(node.object)
  return name !== null && (imports.get(name)?.name ?? name) === instance
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return SOMEWHERE
  // Sound: an object that is no array has texts for keys.
  return OTHERS in value ? { ...SOMEWHERE, ...value } : (value as Record<string, unknown>)
}

/** What has to be there, and may be where it cannot be read. */
const SOMEWHERE = { secret: UNKNOWN, trustHost: UNKNOWN }

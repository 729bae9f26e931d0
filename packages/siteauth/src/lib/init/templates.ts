import type { ProviderFacts } from '../add/provider-facts.ts'
import type { Project } from '../project/project.ts'

/** A file to write, relative to the project. */
export interface NewFile {
  readonly path: string
  readonly text: string
}

/** Where users are stored by what the project has already. */
export interface StoreChoice {
  readonly orm: 'prisma' | 'drizzle'
  /** The name of the client, and the module that exports it, as seen from the configuration. */
  readonly client: string
  readonly module: string
}

/** What is written. */
export interface Plan {
  readonly project: Project
  readonly provider: ProviderFacts
  readonly store: StoreChoice | null
}

/** The files of a Next application. */
export function nextFiles({ project, provider, store }: Plan): readonly NewFile[] {
  const { sources, language } = project
  return [
    {
      path: `${sources}auth.${language}`,
      text: lines(
        `import SiteAuth from '@siteauth/next'`,
        `import ${provider.name} from '@siteauth/next/providers/${provider.module}'`,
        ...storeImports(store),
        '',
        'export const { handlers, auth, signIn, signOut } = SiteAuth({',
        `  providers: [${provider.name}],`,
        ...storeOption(store),
        '})',
      ),
    },
    {
      path: `${sources}app/api/auth/[...siteauth]/route.${language}`,
      text: lines(
        `import { handlers } from '../../../../auth'`,
        '',
        'export const { GET, POST } = handlers',
      ),
    },
  ]
}

/** The files of an Express application: the server only if there is none yet. */
export function expressFiles(
  plan: Plan,
  { hasServer }: { hasServer: boolean },
): readonly NewFile[] {
  const { language, modules } = plan.project
  const isImporting = language === 'ts' || modules === 'esm'
  const config = isImporting ? importingConfig(plan) : requiringConfig(plan)
  const server = isImporting ? importingServer(plan.project) : requiringServer()
  return [
    { path: `auth.${language}`, text: config },
    ...(hasServer ? [] : [{ path: `server.${language}`, text: server }]),
  ]
}

function importingConfig({ provider, store }: Plan): string {
  return lines(
    `import ${provider.name} from '@siteauth/core/providers/${provider.module}'`,
    `import { SiteAuth } from '@siteauth/express'`,
    ...storeImports(store),
    '',
    'export const auth = SiteAuth({',
    `  providers: [${provider.name}],`,
    ...storeOption(store),
    '})',
  )
}

function requiringConfig({ provider }: Plan): string {
  return lines(
    `const ${provider.name} = require('@siteauth/core/providers/${provider.module}').default`,
    `const { SiteAuth } = require('@siteauth/express')`,
    '',
    'exports.auth = SiteAuth({',
    `  providers: [${provider.name}],`,
    '})',
  )
}

function importingServer({ language, modules }: Project): string {
  // What is compiled to CommonJS may leave the extension out; Node wants it in ES modules.
  const own = language === 'ts' && modules === 'cjs' ? './auth' : `./auth.js`
  return lines(`import express from 'express'`, `import { auth } from '${own}'`, '', ...SERVER)
}

function requiringServer(): string {
  return lines(
    `const express = require('express')`,
    `const { auth } = require('./auth.js')`,
    '',
    ...SERVER,
  )
}

const SERVER = [
  'const app = express()',
  `app.use('/auth', auth.handler) // the endpoints and their pages`,
  '',
  `app.get('/', auth.sessionMiddleware, (_req, res) => {`,
  '  res.send(',
  '    res.locals.session',
  `      ? '<a href="/account">Your account</a> <a href="/auth/signout">Sign out</a>'`,
  `      : '<a href="/auth/signin">Sign in</a>',`,
  '  )',
  '})',
  '',
  `app.get('/account', auth.requireSession(), (_req, res) => {`,
  '  res.json(res.locals.session.user)',
  '})',
  '',
  'const port = process.env.PORT ?? 3000',
  `app.listen(port, () => console.log('http://localhost:' + port))`,
]

const ADAPTERS = {
  prisma: { name: 'PrismaAdapter', module: '@auth/prisma-adapter' },
  drizzle: { name: 'DrizzleAdapter', module: '@auth/drizzle-adapter' },
} as const

/** The package whose adapter is used with an ORM. */
export function adapterPackage({ orm }: StoreChoice): string {
  return ADAPTERS[orm].module
}

function storeImports(store: StoreChoice | null): readonly string[] {
  if (!store) return []
  const { name, module } = ADAPTERS[store.orm]
  const tables = store.orm === 'drizzle' ? [`import * as tables from './auth-schema'`] : []
  return [
    `import { ${name} } from '${module}'`,
    ...tables,
    `import { ${store.client} } from '${store.module}'`,
  ]
}

function storeOption(store: StoreChoice | null): readonly string[] {
  if (!store) return []
  const { name } = ADAPTERS[store.orm]
  return [`  adapter: ${name}(${store.client}${store.orm === 'drizzle' ? ', tables' : ''}),`]
}

function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`
}

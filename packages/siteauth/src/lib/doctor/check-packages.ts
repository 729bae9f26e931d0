import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isComponent } from '../code/component.ts'
import { readCode } from '../code/source.ts'
import { isOfAuthjs } from '../from-authjs/module-names.ts'
import { leadsOutside } from '../project/contained.ts'
import { listCode } from '../project/files.ts'
import { installCommand, installedVersion, type Project } from '../project/project.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './project-under-test.ts'

/** Packages that do not fit together, or are missing. */
export function checkPackages(subject: Subject): readonly Finding[] {
  const { project } = subject
  return [
    ...oldNode(process.versions.node),
    ...oldNext(project),
    ...mismatched(project),
    ...duplicates(project),
    ...leftOver(subject),
    ...missingPeers(subject),
  ]
}

function oldNode(version: string): readonly Finding[] {
  if (isAtLeast(version, [20, 19])) return []
  return [
    {
      code: 'old-node',
      severity: 'error',
      what: `This is Node ${version}. SiteAuth needs 20.19 or later.`,
      cure: 'Install a current Node.',
    },
  ]
}

function oldNext({ folder, dependencies }: Project): readonly Finding[] {
  const version = installedVersion(folder, 'next') ?? dependencies['next']
  const [found] = version?.match(/\d+(?:\.\d+)*/) ?? []
  if (!found || isAtLeast(found, [15, 2, 3])) return []
  return [
    {
      code: 'old-next',
      severity: 'error',
      what: `Next ${version} is too old: before 15.2.3, a header from outside skips the proxy, and every guard in it.`,
      cure: 'Run npx @next/codemod@latest upgrade.',
      where: 'package.json',
    },
  ]
}

function mismatched(project: Project): readonly Finding[] {
  const ours = Object.keys(project.dependencies).filter(name => name.startsWith('@siteauth/'))
  const versions = new Map(
    [...new Set([...ours, '@siteauth/core'])].flatMap(name => {
      const version = installedVersion(project.folder, name)
      return version ? [[name, version] as const] : []
    }),
  )
  if (new Set(versions.values()).size < 2) return []
  const list = [...versions].map(([name, version]) => `${name} ${version}`).join(', ')
  const latest = [...versions.keys()].map(name => `${name}@latest`)
  return [
    {
      code: 'mismatched-packages',
      severity: 'error',
      what: `Packages of SiteAuth have different versions: ${list}.`,
      cure: `Run ${installCommand(project, latest).join(' ')}.`,
      where: 'package.json',
    },
  ]
}

/** A copy of core within another package is another core: errors of one are none of the other's. */
function duplicates({ folder }: Project): readonly Finding[] {
  const modules = join(folder, 'node_modules')
  const copies = packagesIn(modules).filter(name =>
    existsSync(join(modules, name, 'node_modules/@siteauth/core/package.json')),
  )
  if (copies.length === 0) return []
  return [
    {
      code: 'duplicate-core',
      severity: 'error',
      what: `There is more than one @siteauth/core: ${copies.join(' and ')} brought a copy of its own.`,
      cure: 'Give all packages of SiteAuth the same version, delete the lock file’s entries for them, and install again.',
      where: 'package.json',
    },
  ]
}

function packagesIn(modules: string): readonly string[] {
  if (!existsSync(modules)) return []
  return readdirSync(modules).flatMap(name =>
    name.startsWith('@')
      ? readdirSync(join(modules, name)).map(inner => `${name}/${inner}`)
      : name.startsWith('.')
        ? []
        : [name],
  )
}

function leftOver({ project: { folder, dependencies }, sources }: Subject): readonly Finding[] {
  if (!Object.keys(dependencies).some(name => name.startsWith('@siteauth/'))) return []
  const left = (module: string) =>
    isOfAuthjs(module) && !isAlias(dependencies[packageOf(module)] ?? '')
  const old = Object.keys(dependencies).filter(left)
  const cure = 'Run npx siteauth from-authjs, then uninstall it.'
  const installed: readonly Finding[] = old.map(name => ({
    code: 'left-over-authjs',
    severity: 'warning',
    what: `${name} is still installed beside SiteAuth: code that imports it shares neither types nor errors with the rest.`,
    cure,
    where: 'package.json',
  }))
  const files = listCode(folder, { components: true }).filter(file => !leadsOutside(folder, file))
  const imported = files.flatMap((file): readonly Finding[] => {
    const text = sources.text(file) ?? (isComponent(file) ? readCode(join(folder, file)) : null)
    const [, module] = [...(text ?? '').matchAll(IMPORT)].find(([, name = '']) => left(name)) ?? []
    if (!module) return []
    const what = `${file} still imports ${module}, which shares neither types nor errors with SiteAuth.`
    return [{ code: 'left-over-authjs', severity: 'warning', what, cure, where: file }]
  })
  return [...installed, ...imported]
}

const IMPORT = /\b(?:from|import|require)\s*\(?\s*['"]([^'"\n]+)['"]/g

/** Whether a package is one of ours under the name of another. */
function isAlias(range: string): boolean {
  return range.startsWith('npm:@siteauth/')
}

function packageOf(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')
}

const DRIVERS: Readonly<Record<string, string>> = {
  '@siteauth/adapters/postgres': 'pg',
  '@siteauth/adapters/mysql': 'mysql2',
}
const PEERS: Readonly<Record<string, string>> = {
  nodemailer: 'nodemailer',
  passkey: '@simplewebauthn/server',
  webauthn: '@simplewebauthn/server',
}

function missingPeers({ project, providers, sources }: Subject): readonly Finding[] {
  const needed = new Map<string, string>()
  for (const { preset } of providers) {
    const peer = preset && PEERS[preset]
    if (peer) needed.set(peer, `the provider "${preset}"`)
  }
  for (const file of sources.files) {
    const text = sources.text(file) ?? ''
    for (const [module, driver] of Object.entries(DRIVERS)) {
      if (text.includes(`${module}'`) && /Adapter\(\{\s*url\b/.test(text))
        needed.set(driver, module)
    }
  }
  const has = (name: string) =>
    name in project.dependencies || installedVersion(project.folder, name) !== null
  return [...needed]
    .filter(([name]) => !has(name))
    .map(([name, by]) => ({
      code: 'missing-package',
      severity: 'error',
      what: `${by} needs the package ${name}, which is not installed.`,
      cure: `Run ${installCommand(project, [name]).join(' ')}.`,
      where: 'package.json',
    }))
}

/** Whether a version is another one or later. Parts that it leaves out, as ranges do, may be any. */
function isAtLeast(version: string, minimum: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, expected] of minimum.entries()) {
    const part = parts[index]
    if (part === undefined || part > expected) return true
    if (part < expected) return false
  }
  return true
}

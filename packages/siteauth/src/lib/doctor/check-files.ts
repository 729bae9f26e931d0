import type { Node } from 'oxc-parser'
import { routePath } from '../code/endpoint-paths.ts'
import { nameOf } from '../code/source.ts'
import { isOfAuthjs } from '../from-authjs/module-names.ts'
import { linkedEnvFiles } from '../project/env-files.ts'
import { installedVersion } from '../project/project.ts'
import type { Finding } from './finding.ts'
import { placeOf, type Subject } from './project-under-test.ts'

/** Files that Next looks for, and how they have to be written. */
export function checkFiles(subject: Subject): readonly Finding[] {
  return [
    ...linkedOutside(subject),
    ...noConfig(subject),
    ...unreadable(subject),
    ...noRoute(subject),
    ...twoGuards(subject),
    ...destructuredProxy(subject),
    ...unmounted(subject),
  ]
}

function linkedOutside({ world, mode }: Subject): readonly Finding[] {
  return linkedEnvFiles(world.cwd, mode).map(file => ({
    code: 'linked-file',
    severity: 'warning',
    what: `${file} is a link out of this project, and was not read.`,
    cure: 'Replace the link by a file, or run the command in a folder that has both, by --cwd.',
    where: file,
  }))
}

function noConfig({ configs, sources, project }: Subject): readonly Finding[] {
  const mentions = (words: RegExp) =>
    sources.files.some(file => words.test(sources.text(file) ?? ''))
  // A configuration may come from a package of the application's own.
  if (configs.length > 0 || mentions(/['"]@siteauth\/(?!testing['"/])[\w/-]+['"]/)) return []
  const isOfOld = Object.keys(project.dependencies).some(isOfAuthjs)
  return [
    {
      code: 'no-configuration',
      severity: 'error',
      what: 'No code of this project uses SiteAuth.',
      cure: `Run npx siteauth ${isOfOld ? 'from-authjs' : 'init'}. If the project is in another folder, run it there, or name it with --cwd.`,
    },
  ]
}

function unreadable({ sources }: Subject): readonly Finding[] {
  return sources.files
    .filter(file => /(?:^|\/)(?:auth(?:\.config)?|proxy|middleware)\.[cm]?[jt]s$/.test(file))
    .filter(file => sources.get(file) === null)
    .map(file => ({
      code: 'syntax-error',
      severity: 'error',
      what: `${file} cannot be parsed.`,
      cure: 'Correct its syntax: the type checker says where.',
      where: file,
    }))
}

function noRoute({ configs, sources, project, env }: Subject): readonly Finding[] {
  const config = configs.find(
    each => each.for === 'next' && !/(?:^|\/)(?:proxy|middleware)\./.test(each.source.file),
  )
  if (!config || project.framework !== 'next') return []
  const path = routePath(config, env)
  const routes = sources.files.filter(file =>
    /(?:^|\/)(?:app\/.*\[\.\.\.[^\]]+\]+\/route|pages\/api\/.*\[\.\.\.[^\]]+\]+)\.[jt]sx?$/.test(
      file,
    ),
  )
  const found = routes.map(file =>
    file
      .replace(/^(?:src\/)?(?:app|pages)/, '')
      .replace(/\/\[+\.\.\.[^\]]+\].*$/, '')
      // Folders in parentheses are no part of the path.
      .replaceAll(/\/\([^)]*\)/g, ''),
  )
  if (found.includes(path)) return []
  const elsewhere = routes.find(file => /handlers/.test(sources.text(file) ?? ''))
  if (elsewhere) {
    return [
      {
        code: 'route-elsewhere',
        severity: 'error',
        what: `The endpoints are expected at ${path}, but the route handler is ${elsewhere}.`,
        cure: `Move it to app${path}/[...siteauth]/route, or set basePath to where it is.`,
        where: elsewhere,
      },
    ]
  }
  return [
    {
      code: 'no-route',
      severity: 'error',
      what: `Nothing answers at ${path}: there is no route handler.`,
      cure: `Write ${project.sources}app${path}/[...siteauth]/route.${project.language} with: export const { GET, POST } = handlers`,
      where: placeOf(config),
    },
  ]
}

function twoGuards({ sources, project }: Subject): readonly Finding[] {
  const named = (name: string) =>
    sources.files.find(file => new RegExp(`^(?:src/)?${name}\\.[jt]s$`).test(file))
  const [proxy, middleware] = [named('proxy'), named('middleware')]
  if (project.framework !== 'next') return []
  if (proxy && middleware) {
    return [
      {
        code: 'proxy-and-middleware',
        severity: 'error',
        what: `There are ${proxy} and ${middleware}, and Next runs only one of them.`,
        cure: 'Put all of it into proxy, which is the name since Next 16.',
        where: middleware,
      },
    ]
  }
  const guard = proxy ?? middleware
  const isBeside = guard?.startsWith('src/') === (project.sources === 'src/')
  if (!guard || isBeside) return []
  return [
    {
      code: 'misplaced-proxy',
      severity: 'error',
      what: `Next does not run ${guard}, so it guards nothing.`,
      cure: `Move it beside the folder app: to ${project.sources || './'}.`,
      where: guard,
    },
  ]
}

/** Next 16 looks for a function, and finds none in a destructured export. */
function destructuredProxy({ sources, project }: Subject): readonly Finding[] {
  const version = installedVersion(project.folder, 'next') ?? project.dependencies['next'] ?? ''
  const [major = '16'] = version.match(/\d+/) ?? []
  if (Number(major) < 16 || project.framework !== 'next') return []
  return sources.files
    .filter(file => /^(?:src\/)?(?:proxy|middleware)\.[jt]s$/.test(file))
    .filter(file => {
      const body = sources.get(file)?.program.body ?? []
      // What else it exports is nobody's business.
      if (body.some(each => each.type === 'ExportDefaultDeclaration')) return false
      return body.some(
        each =>
          each.type === 'ExportNamedDeclaration' &&
          each.declaration?.type === 'VariableDeclaration' &&
          each.declaration.declarations.some(({ id }) => isGuardIn(id)),
      )
    })
    .map(file => ({
      code: 'destructured-proxy',
      severity: 'error',
      what: `Next 16 rejects what ${file} exports: a name taken out of an object.`,
      cure: 'Write export default SiteAuth(config).auth.',
      where: file,
    }))
}

/** `auth` or `proxy` of `const { auth: proxy } = …`. */
function isGuardIn(id: Node): boolean {
  if (id.type !== 'ObjectPattern') return false
  return id.properties.some(
    each =>
      each.type === 'Property' && /^(?:auth|proxy|middleware)$/.test(nameOf(each.value) ?? ''),
  )
}

/** Guards send people to endpoints that have to be somewhere. */
function unmounted({ configs, sources }: Subject): readonly Finding[] {
  const instance = configs.find(each => each.for === 'express')
  const mentions = (words: RegExp) =>
    sources.files.some(each => words.test(sources.text(each) ?? ''))
  if (!instance || !mentions(/\brequireSession\b/)) return []
  if (mentions(/\b(?:Server|Express)Auth\b|\bhandler\b/)) return []
  return [
    {
      code: 'endpoints-not-mounted',
      severity: 'error',
      what: 'Visitors are sent to sign in, but the endpoints are mounted nowhere.',
      cure: "Write app.use('/auth', auth.handler).",
      where: placeOf(instance),
    },
  ]
}

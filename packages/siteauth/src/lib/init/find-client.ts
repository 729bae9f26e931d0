import { posix } from 'node:path'
import type { Sources } from '../code/sources.ts'
import type { Project } from '../project/project.ts'
import type { StoreChoice } from './templates.ts'

const CLIENTS = {
  prisma: /export const (\w+)\b[^\n]*?=[\s\S]{0,120}?new PrismaClient\b/,
  drizzle: /export const (\w+)\b[^\n]*?=\s*drizzle\(/,
}

/** The client that the project exports for its ORM; null if there is none to be found. */
export function findClient(
  { orm, sources: folder }: Project,
  sources: Sources,
): StoreChoice | null {
  if (!orm) return null
  for (const file of sources.files) {
    const [, client] = CLIENTS[orm].exec(sources.text(file) ?? '') ?? []
    if (!client) continue
    const path = posix.relative(folder || '.', file).replace(/\.[cm]?[jt]sx?$/, '')
    return { orm, client, module: path.startsWith('.') ? path : `./${path}` }
  }
  return null
}

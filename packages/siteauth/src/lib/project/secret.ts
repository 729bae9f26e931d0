import { join } from 'node:path'
import type { World } from '../world.ts'
import { readText } from './files.ts'
import { readProject } from './project.ts'

/** The variables that secrets are in, the oldest first, as the library reads them. */
export const SECRET_VARIABLES = [
  'AUTH_SECRET',
  'AUTH_SECRET_1',
  'AUTH_SECRET_2',
  'AUTH_SECRET_3',
] as const

/** 256 random bits, in letters that need no quotes anywhere. */
export function newSecret({ randomBytes }: Pick<World, 'randomBytes'>): string {
  return Buffer.from(randomBytes(32)).toString('base64url')
}

/** The file that the secrets of a project are in. */
export function secretFile(folder: string): string {
  const { framework } = readProject(folder)
  const hasLocal = readText(join(folder, '.env.local')) !== null
  return framework === 'next' || hasLocal ? '.env.local' : '.env'
}

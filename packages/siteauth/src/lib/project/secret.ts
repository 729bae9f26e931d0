import { join } from 'node:path'
import type { World } from '../environment.ts'
import { fileWith } from './env-files.ts'
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

/** All variables that a secret may be in, with that of v4. */
const ALL_VARIABLES = [...SECRET_VARIABLES, 'NEXTAUTH_SECRET']

/** The file that has the secrets of a project; null if there are none yet. */
export function fileWithSecret(folder: string): string | null {
  return fileWith(folder, ALL_VARIABLES)
}

/** The file that new variables of a project go to. */
export function variablesFile(folder: string): string {
  const { framework } = readProject(folder)
  const hasLocal = readText(join(folder, '.env.local')) !== null
  return framework === 'next' || hasLocal ? '.env.local' : '.env'
}

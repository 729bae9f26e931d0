import { action, query } from '@solidjs/router'
import { auth, probe } from './auth'

async function file() {
  'use server'
  if (!probe.isInFront) await auth.requireSession()
  return probe.ran()
}

async function onlyAda() {
  'use server'
  if (!probe.isInFront) await auth.requireSession({ allow: probe.allow })
  return probe.ran()
}

/** For every path that has no other route: behind the guard in front, or as if there were no such route. */
async function any() {
  'use server'
  return probe.isInFront ? probe.ran() : null
}

async function write(_form: FormData) {
  'use server'
  if (!probe.isInFront) await auth.requireSession()
  return probe.ran()
}

export const readFile = query(file, 'file')
export const readOnlyAda = query(onlyAda, 'only ada')
export const readAny = query(any, 'any')
export const writeFile = action(write, 'write')

/** The addresses of the functions, for those who attack them. */
export function addresses(): readonly string[] {
  // SolidStart makes an object with it of each function.
  const functions = [file, onlyAda, write] as unknown as readonly { readonly url: string }[]
  return functions.map(({ url }) => url)
}

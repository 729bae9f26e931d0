import { primitives } from '#crypto'

/*
 * The files that pages load from our own origin: `GET {basePath}/assets/{name}.{hash}.js`.
 *
 * To add a script for a page:
 *  1. write it into a file of its own in this folder, as a text: `export const script: string = …`.
 *     A text, because bundlers rewrite functions in ways that a browser alone cannot run, and
 *     because not every runtime has files. It must do without `<`, `innerHTML` and their like, since
 *     the policy of the pages asks for trusted types;
 *  2. enter it below. It is read when the first page needs it;
 *  3. name it in the `scripts` of the page's call of `layout`.
 * The name of the file changes with the text by itself, the policy lets in scripts of our own
 * origin, and a page has to work, or say what is missing, where scripts do not run.
 */
const SCRIPTS: Readonly<Record<ScriptName, () => Promise<string>>> = {
  code: async () => (await import('./code-script.ts')).script,
  page: async () => (await import('./page-script.ts')).script,
  passkey: async () => (await import('./passkey-script.ts')).script,
}

/** A script that a page can load. */
export type ScriptName = 'code' | 'page' | 'passkey'

/** A file that never changes: another content has another name. */
export interface Asset {
  readonly file: string
  readonly text: string
}

const made = new Map<ScriptName, Asset>()

/** A script with the name under which browsers find it. */
export async function scriptAsset(name: ScriptName): Promise<Asset> {
  const cached = made.get(name)
  if (cached) return cached
  const text = await SCRIPTS[name]()
  const hash = await primitives.digest('SHA-256', text)
  const hex = Array.from(hash.subarray(0, 8), byte => byte.toString(16).padStart(2, '0')).join('')
  const asset = { file: `${name}.${hex}.js`, text }
  made.set(name, asset)
  return asset
}

/** The file of this name; null if it does not exist, or no longer. */
export async function findAsset(file: string): Promise<Asset | null> {
  const [name = ''] = file.split('.')
  if (!isScriptName(name)) return null
  const asset = await scriptAsset(name)
  return asset.file === file ? asset : null
}

function isScriptName(name: string): name is ScriptName {
  return Object.hasOwn(SCRIPTS, name)
}

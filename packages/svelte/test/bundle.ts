import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { compile as compile5 } from 'svelte/compiler'
import { esbuildSources } from '../../../tools/sources.mjs'

/** The versions of Svelte that applications may have. */
export const versions = [4, 5] as const
/** The compiler of version 4. Its types would take the place of those of version 5. */
const OLDER = 'svelte4/compiler'
type Version = (typeof versions)[number]

/** Components by the names of their files, and what a bundler makes of them for a page or for a server. */
export async function bundle(
  entry: string,
  components: Readonly<Record<string, string>>,
  version: Version,
  platform: 'browser' | 'node',
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    alias: version === 4 ? { svelte: 'svelte4' } : {},
    bundle: true,
    conditions: platform === 'browser' ? ['browser', 'svelte'] : [],
    format: 'esm',
    platform,
    plugins: [esbuildSources([platform]), compiling(components, version, platform)],
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

function compiling(
  components: Readonly<Record<string, string>>,
  version: Version,
  platform: 'browser' | 'node',
): Plugin {
  return {
    name: 'svelte',
    setup(build) {
      build.onResolve({ filter: /\.svelte$/ }, ({ path }) => ({
        path: path.replace('./', ''),
        namespace: 'svelte',
      }))
      build.onLoad({ filter: /./, namespace: 'svelte' }, async ({ path: filename }) => ({
        contents: await compiled(components[filename] ?? '', filename),
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      }))
    },
  }

  async function compiled(source: string, filename: string): Promise<string> {
    if (version === 5) {
      const generate = platform === 'node' ? 'server' : 'client'
      const experimental = { async: true }
      return compile5(source, { filename, generate, experimental }).js.code
    }
    const generate = platform === 'node' ? 'ssr' : 'dom'
    const { compile } = await import(/* @vite-ignore */ OLDER)
    return compile(source, { filename, generate, hydratable: true }).js.code
  }
}

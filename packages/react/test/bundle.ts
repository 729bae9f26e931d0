import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { esbuildSources } from '../../../tools/sources.mjs'

/** The versions of React that applications may have. */
export const versions = [18, 19] as const

/** Sources as a bundler for browsers, or for a server, packs them with one version of React. */
export async function bundle(
  source: string,
  react: (typeof versions)[number] | 'external',
  platform: 'browser' | 'node' = 'browser',
): Promise<string> {
  const older = { react: 'react18', 'react-dom': 'react-dom18' }
  const { outputFiles } = await build({
    stdin: {
      contents: source,
      loader: 'tsx',
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    alias: react === 18 ? older : {},
    external: react === 'external' ? ['react'] : [],
    bundle: true,
    plugins: [esbuildSources([platform])],
    define: { 'process.env.NODE_ENV': '"development"' },
    format: 'esm',
    jsx: 'automatic',
    minify: react === 'external',
    platform,
    write: false,
    // React for servers is CommonJS and asks for parts of Node.
    ...(platform === 'node' && {
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire('/')",
      },
    }),
  })
  return outputFiles[0]?.text ?? ''
}

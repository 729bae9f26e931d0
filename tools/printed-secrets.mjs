// A secret that a page or an example prints is copied as it is, and then everybody can forge sessions of that site.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The lines of pages, examples and comments that print a secret. `npx siteauth secret` makes one for each reader. */
export function checkPrintedSecrets(root) {
  return filesWithLines(root).flatMap(([file, lines]) =>
    lines.flatMap((line, index) =>
      PRINTED.test(line)
        ? [`${file}:${index + 1} prints a secret: have the reader run npx siteauth secret`]
        : [],
    ),
  )
}

// A variable with a value, but not what a command or another variable puts in; or an option with a text.
const PRINTED =
  /\b(?:NEXTAUTH|AUTH)_SECRET(?:_\d)?['"]?(?:\s*[=:]\s*['"][^'"`$<]{2}|=[^\s'"`$<|(]{4})|(?<![\w.])secret:\s*\[?['"`][^'"`$]{2}/

function filesWithLines(root) {
  const paths = ['*.md', 'examples', 'packages/*/src/*']
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = output.split('\n').filter(file => file && existsSync(join(root, file)))
  return files
    .filter(file => !/(?:^|\/)test\/|\.(?:test\.ts|api\.md|png|svg|ico|woff2)$/.test(file))
    .map(file => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n')
      const isSource = file.startsWith('packages/') && !file.endsWith('.md')
      return [file, isSource ? lines.map(line => (/^\s*\*/.test(line) ? line : '')) : lines]
    })
}

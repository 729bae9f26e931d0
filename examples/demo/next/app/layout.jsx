import { connection } from 'next/server'

export const metadata = { title: 'SiteAuth on Next.js' }

export default async function Layout({ children }) {
  await connection() // the address of the desk is known when the demo has started
  const { DEMO_DESK } = process.env
  return (
    <html lang="en">
      <head>
        <link rel="icon" href={`${DEMO_DESK}/logo.svg`} />
        <link rel="stylesheet" href={`${DEMO_DESK}/style.css`} />
      </head>
      <body>
        {children}
        <script src={`${DEMO_DESK}/live.js`} defer />
      </body>
    </html>
  )
}

// @refresh reload
import { createHandler, StartServer } from '@solidjs/start/server'

export default createHandler(() => (
  <StartServer
    document={({ assets, children, scripts }) => (
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>Example</title>
          <link rel="icon" href="data:," />
          {assets}
        </head>
        <body style="font: 1rem/1.5 system-ui; max-width: 30rem; margin: 4rem auto; padding: 0 1rem">
          <div id="app">{children}</div>
          {scripts}
        </body>
      </html>
    )}
  />
))

import { html } from './html.js'

/** What to enter for each way to sign in. */
export function waysToSignIn({ desk }) {
  return html`<dl class="ways">
    <div><dt>Sign in with Example</dt><dd>An OpenID Provider on this machine, which accepts any name.</dd></div>
    <div><dt>Passkey</dt><dd>To sign up, any address: the link arrives in <a href="${desk}/inbox">the inbox</a>. Then your fingerprint, face or PIN. It works on both applications.</dd></div>
    <div><dt>Email</dt><dd>Any address. The message arrives in <a href="${desk}/inbox">the inbox</a>.</dd></div>
    <div><dt>Password</dt><dd><code>ada@example.com</code> and <code>open sesame</code>.</dd></div>
  </dl>`
}

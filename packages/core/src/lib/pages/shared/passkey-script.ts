/**
 * Makes the form of a passkey work: it asks our own endpoint what to ask of the browser, asks that,
 * and sends the form with the answer. Passkeys are also offered in the autofill of its field. All of
 * it with what browsers have themselves, so that no page needs a package.
 */
export const script: string = `(() => {
  const isSupported = Boolean(window.PublicKeyCredential && navigator.credentials)
  // Challenges live five minutes.
  const REFRESH_AFTER = 4 * 60 * 1000
  // One question at a time: a browser refuses a second while the first waits.
  let waiting

  for (const form of document.forms) if (form.dataset.passkeyOptions) start(form)

  function start(form) {
    if (!isSupported) return say(form, 'unsupported')
    // A form for autofill alone has nothing to show, and nowhere to say anything.
    const fields = form.querySelector('div[hidden]')
    if (fields) fields.hidden = false
    form.addEventListener('submit', event => {
      // With an answer it is sent as it is, and so is what asks for a link instead.
      if (form.querySelector('[name=data]') || event.submitter?.hasAttribute('formaction')) return
      event.preventDefault()
      const action = event.submitter?.dataset.passkeyAction ?? 'authenticate'
      if (action === 'register' && !form.reportValidity()) return
      ask(form, action)
    })
    // Who comes back with the back button starts anew.
    addEventListener('pageshow', event => {
      if (!event.persisted) return
      for (const input of form.querySelectorAll('[data-passkey-answer]')) input.remove()
      offer(form)
    })
    offer(form)
  }

  async function ask(form, action) {
    say(form, '')
    form.ariaBusy = 'true'
    try {
      const data = await answerOf(form, action)
      if (action === 'register') await deliver(form, data)
      else send(form, data)
    } catch (error) {
      form.removeAttribute('aria-busy')
      if (error.name !== 'AbortError') say(form, reasonOf(error))
      offer(form)
    }
  }

  // Waits in the autofill of the field until somebody chooses a passkey there.
  async function offer(form) {
    if (form.dataset.passkeyAutofill === undefined) return
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    const refresh = setTimeout(() => offer(form), REFRESH_AFTER)
    try {
      send(form, await answerOf(form, 'authenticate', 'conditional'))
    } catch {
      // Given up for another question, or nothing to offer: the button is still there.
    } finally {
      clearTimeout(refresh)
    }
  }

  async function answerOf(form, action, mediation) {
    waiting?.abort()
    waiting = new AbortController()
    const { signal } = waiting
    const query = new URLSearchParams({ action })
    // Whoever signs in with a passkey need not say who they are, unless keys are looked up by it.
    if (action === 'register' || (!mediation && form.dataset.passkeyNamed !== undefined)) {
      for (const field of form.querySelectorAll('[data-form-field]')) {
        if (field.value) query.set(field.name, field.value)
      }
    }
    const response = await fetch(form.dataset.passkeyOptions + '?' + query, { signal })
    if (!response.ok || response.redirected) throw new Error('no options: ' + response.status)
    const { options } = await response.json()
    form.dataset.passkeySite = options.rp?.id ?? ''
    const credential = await (action === 'register'
      ? navigator.credentials.create({ publicKey: creationOptions(options), signal })
      : navigator.credentials.get({ publicKey: requestOptions(options), signal, mediation }))
    return toJson(credential)
  }

  function send(form, data) {
    for (const [name, value] of fieldsFor('authenticate', data)) {
      const input = document.createElement('input')
      input.type = 'hidden'
      input.name = name
      input.value = value
      input.dataset.passkeyAnswer = ''
      form.append(input)
    }
    form.removeAttribute('aria-busy')
    form.noValidate = true
    form.requestSubmit()
  }

  // A new passkey that is refused would stay on the device and be offered for ever. So the page
  // waits for what comes of it, and tells the device.
  async function deliver(form, data) {
    const body = new URLSearchParams([...new FormData(form), ...fieldsFor('register', data)])
    const headers = { 'X-Auth-Return-Redirect': '1' }
    const response = await fetch(form.getAttribute('action'), { method: 'POST', headers, body })
    const { url } = await response.json()
    const wish = new URL(body.get('callbackUrl') ?? '', location.href).href
    if (url !== wish && new URL(url).searchParams.has('error')) {
      const credential = { rpId: form.dataset.passkeySite, credentialId: data.id }
      await PublicKeyCredential.signalUnknownCredential?.(credential).catch(() => {})
    }
    location.assign(url)
  }

  function fieldsFor(action, data) {
    return [['action', action], ['data', JSON.stringify(data)]]
  }

  function say(form, reason) {
    const status = form.querySelector('[role=status]')
    if (!status) return
    status.textContent = reason && (status.dataset[reason] ?? status.dataset.failed)
    status.hidden = !reason
  }

  function reasonOf({ name }) {
    if (name === 'NotAllowedError') return 'cancelled'
    if (name === 'InvalidStateError') return 'exists'
    if (name === 'NotSupportedError' || name === 'ConstraintError') return 'unsupported'
    return 'failed'
  }

  // Browsers of before 2025 do not convert by themselves, nor do some password managers.

  function creationOptions(options) {
    if (PublicKeyCredential.parseCreationOptionsFromJSON) {
      return PublicKeyCredential.parseCreationOptionsFromJSON(options)
    }
    return {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: options.excludeCredentials?.map(withBytes),
    }
  }

  function requestOptions(options) {
    if (PublicKeyCredential.parseRequestOptionsFromJSON) {
      return PublicKeyCredential.parseRequestOptionsFromJSON(options)
    }
    return {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: options.allowCredentials?.map(withBytes),
    }
  }

  function toJson(credential) {
    try {
      return credential.toJSON()
    } catch {}
    const { id, rawId, type, authenticatorAttachment, response } = credential
    const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
    const fields = names.filter(name => response[name]).map(name => [name, textOf(response[name])])
    return {
      id,
      rawId: textOf(rawId),
      type,
      authenticatorAttachment: authenticatorAttachment ?? undefined,
      clientExtensionResults: credential.getClientExtensionResults(),
      response: { ...Object.fromEntries(fields), transports: response.getTransports?.() },
    }
  }

  function withBytes(descriptor) {
    return { ...descriptor, id: bytesOf(descriptor.id) }
  }

  function bytesOf(text) {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, character => character.charCodeAt(0))
  }

  function textOf(buffer) {
    const binary = Array.from(new Uint8Array(buffer), byte => String.fromCharCode(byte)).join('')
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }
})()
`

// A selection from https://publicsuffix.org, with what its list does not have. Why not all of it: docs/decisions/065.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Domains below which anyone can get a name: platforms, tunnels and dynamic DNS. Some have regions below them. */
export const SUFFIXES: ReadonlySet<string> = words(`
  vercel.app vercel.dev now.sh v0.build netlify.app netlify.com pages.dev workers.dev r2.dev trycloudflare.com
  github.io github.dev app.github.dev preview.app.github.dev githubusercontent.com githubpreview.dev gitlab.io
  codeberg.page srht.site sourceforge.io bitbucket.io readthedocs.io gitbook.io gitpod.io
  herokuapp.com fly.dev onrender.com railway.app up.railway.app deno.dev deno.net koyeb.app zeabur.app
  cyclic.app adaptable.app kinsta.app sevalla.app lovable.app bolt.host wasmer.app edgecompute.app easypanel.host
  web.app firebaseapp.com appspot.com cloudfunctions.net withgoogle.com translate.goog
  azurewebsites.net azurestaticapps.net azurefd.net azureedge.net azure-api.net cloudapp.net trafficmanager.net
  amplifyapp.com cloudfront.net elasticbeanstalk.com s3.amazonaws.com ondigitalocean.app oraclecloudapps.com
  scalingo.io cleverapps.io gigalixirapp.com back4app.io mybluemix.net cfapps.io vapor.cloud laravel.cloud on-forge.com
  surge.sh glitch.me replit.app replit.dev repl.co repl.run csb.app codesandbox.io stackblitz.io webcontainer.io val.run
  expo.app clerk.app accounts.dev supabase.co supabase.net convex.site convex.cloud hasura.app nhost.run streamlit.app
  hf.space gradio.live pythonanywhere.com framer.app framer.website framer.media framer.ai webflow.io wixsite.com
  wixstudio.com myshopify.com squarespace.com weebly.com carrd.co notion.site bubbleapps.io softr.app super.site
  blogspot.com wordpress.com tumblr.com neocities.org 000webhostapp.com
  ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev ngrok.pizza ngrok.pro loca.lt localtunnel.me localhost.run
  lhr.life serveo.net tunnelto.dev devtunnels.ms ts.net nip.io sslip.io xip.io traefik.me
  duckdns.org ddns.net dyndns.org hopto.org zapto.org sytes.net no-ip.org myftp.org freeddns.org dynu.net dynv6.net
  b-cdn.net akamaized.net fastly.net fastlylb.net map.fastly.net freetls.fastly.net map.fastlylb.net
  global.ssl.fastly.net a.ssl.fastly.net b.ssl.fastly.net global.prod.fastly.net a.prod.fastly.net home.dyndns.org
  eu.org asso.eu.org edu.eu.org int.eu.org net.eu.org paris.eu.org q-a.eu.org
`)

/** Private registries: anyone can get a name, and owns what lies below it. */
export const REGISTRIES: ReadonlySet<string> = words(`
  ae.org br.com cn.com co.com de.com eu.com gr.com it.com jpn.com ru.com sa.com uk.com us.com za.com com.de com.se
  gb.net hu.net in.net jp.net se.net uk.net us.org co.krd edu.krd co.place co.technology co.business
`)

/** Domains whose names are regions or services, below each of which anyone can get a name. */
export const SUFFIXES_BELOW: ReadonlySet<string> = words(`
  run.app hosted.app gateway.dev r.appspot.com compute.amazonaws.com compute-1.amazonaws.com elb.amazonaws.com
  awsapprunner.com digitaloceanspaces.com linodeobjects.com vultrobjects.com nodebalancer.linode.com
  replit.dev csb.app platformsh.site upsun.app northflank.app build.run code.run azurecontainer.io on-acorn.io vapor.cloud
`)

/** Domains of clouds, whose services have rules of their own. */
export const CLOUDS: ReadonlySet<string> = words(`
  amazonaws.com on.aws windows.net azure.com azurestaticapps.net azurecontainerapps.io googleapis.com
  oraclecloud.com aliyuncs.com myhuaweicloud.com scw.cloud clever-cloud.com ovh.net linode.com railway.app
`)

/** The second part of suffixes such as `co.uk`. */
export const CATEGORIES: ReadonlySet<string> = words(`
  ac asso co com ed edu go gob gouv gov gv int k12 ltd mil ne net nom or org plc sch
`)

/** Countries that register names on the third level alone. */
export const OPEN_COUNTRIES: ReadonlySet<string> = words('bd ck er fk jm kh mm np pg')

/** Countries with short names of regions and trades on the second level, such as `lg.jp`. */
export const REGIONS: ReadonlySet<string> = words(`
  au bg br ca cn hk id il in it jp kr no nz pk pl ru se th tr tw ua uk us vn za
`)

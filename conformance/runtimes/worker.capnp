using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .application),
    # The provider and the mailbox of the suite are on this machine.
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

# Without `nodejs_compat`: nothing of Node is there.
const application :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
  compatibilityDate = "2026-10-01",
  bindings = [(name = "SITEAUTH_SUITE", fromEnvironment = "SITEAUTH_SUITE"), (name = "AUTH_SECRET", fromEnvironment = "AUTH_SECRET")],
);

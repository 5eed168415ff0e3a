#!/usr/bin/env bash
# Installs code-server (a real VS Code that runs in a browser) from npm into DEST, compiling its native
# modules here, since their prebuilt binaries live outside the npm registry.
#
#   install_code_server.sh DEST [VERSION]
#
# Needs node 20 with headers, a C++ compiler, python3, ripgrep, and the development packages of
# krb5, libsecret, X11 and xkbfile. DEST is complete when it holds a file named `ready`.
set -euo pipefail
dest=${1:?usage: install_code_server.sh DEST [VERSION]}
version=${2:-4.100.3}

mkdir -p "$dest"
cd "$dest"
rm -f ready
[ -f package.json ] || echo '{"name":"code-server-for-tests","private":true}' > package.json

fetch() { npm install "$@" --ignore-scripts --no-audit --no-fund; }
fetch "code-server@$version"
vscode=$PWD/node_modules/code-server/lib/vscode
(cd "$vscode" && fetch --omit=dev)
(cd "$vscode/extensions" && fetch --omit=dev)

# ripgrep's own post-install would download a binary
mkdir -p "$vscode/node_modules/@vscode/ripgrep/bin"
ln -sf "$(command -v rg)" "$vscode/node_modules/@vscode/ripgrep/bin/rg"

npm rebuild argon2 --foreground-scripts
(cd "$vscode" && npm rebuild @vscode/spdlog native-watchdog kerberos @vscode/deviceid --foreground-scripts)
# node-pty's post-install only writes compile_commands.json, so it is compiled by hand
node_gyp=$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js
(cd "$vscode/node_modules/node-pty" && node "$node_gyp" rebuild --nodedir="${NODEDIR:-/usr}")

# the links that code-server's post-install would make
(cd "$vscode" && ln -sfn node_modules node_modules.asar \
  && ln -sf code-linux.sh bin/remote-cli/code-server \
  && ln -sf browser-linux.sh bin/helpers/browser.sh)

./node_modules/.bin/code-server --version > ready

#!/usr/bin/env bash
# Builds dist/inklings-desktop, a folder that runs without Python, tries it without a display, and
# packs it as dist/inklings.mcpb for programs that take an MCP server as one file.
set -euo pipefail
cd "$(dirname "$0")/.."

case "$(uname -s)" in
  MINGW* | MSYS*) python=.venv/Scripts/python.exe system=python ;;
  *) python=.venv/bin/python system=python3 ;;
esac
[ -x "$python" ] || "$system" -m venv --upgrade-deps .venv
"$python" -m pip install -q -c packaging/constraints.txt -e ".[full]" --group bundle
"$python" -m PyInstaller --noconfirm --clean --log-level WARN build.spec

bundle=dist/inklings-desktop
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export QT_QPA_PLATFORM=offscreen INKLINGS_DATA_DIR="$home/data"

"$bundle/inklings-desktop" --smoke-test
"$bundle/inklings" workspace list --json
"$bundle/inklings" mcp serve --help >/dev/null
"$bundle/inklings-agent" --version
printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n' |
  "$bundle/inklings-agent" | grep -q '"loadSession":true'
"$python" packaging/mcp_bundle.py "$bundle" dist/inklings.mcpb
"$python" -m zipfile -e dist/inklings.mcpb "$home/mcpb"
chmod +x "$home/mcpb/server/inklings"
"$home/mcpb/server/inklings" workspace create Tried
printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tried","version":"1"}}}\n' |
  "$home/mcpb/server/inklings" --workspace Tried mcp serve --in-process | grep -q '"serverInfo"'
du -sh "$bundle" dist/inklings.mcpb

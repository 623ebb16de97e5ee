#!/usr/bin/env bash
# Builds dist/inklings-desktop, a folder that runs without Python, and dist/inklings-server, the command
# line alone. Tries both without a display, and packs the second as dist/inklings.mcpb for programs
# that take an MCP server as one file; dist/acp-registry describes the agent for a registry of them.
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
"$bundle/inklings" workspace create Analysed
"$bundle/inklings" --workspace Analysed mcp grant world-agent --as world-agent
"$bundle/inklings" --workspace Analysed memory add --tier workspace "The gull is grey."
"$bundle/inklings" --workspace Analysed analysis run references --query gull | grep -q "gull is grey"
server=dist/inklings-server
"$server/inklings" workspace create Tried
printf '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tried","version":"1"}}}\n' |
  "$server/inklings" --workspace Tried mcp serve --client tried --in-process | grep -q '"serverInfo"'
"$python" packaging/mcp_bundle.py "$server" dist/inklings.mcpb
"$python" packaging/acp_registry.py dist/acp-registry
du -sh "$bundle" "$server" dist/inklings.mcpb
